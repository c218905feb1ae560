#!/bin/sh
# Builds the connector, starts a broker, a registry, a worker and a simulated service, and prints every change and commands to try.
#   sh config/quickstart.sh [--for 60s]
# Needs JDK 17 or newer and Maven 3.8 or newer, nothing else. All of it listens on the loopback interface only.
set -eu
cd "$(dirname "$0")/.."

log=target/quickstart-build.log
network='Could not transfer|Unknown host|UnknownHost|Connection refused|Connect(ion)? timed out|Network is unreachable|handshake|status code: (407|50[0-9])|reset by peer'

fail() {
  printf 'quickstart: %s\n' "$1" >&2
  exit 1
}

# The number before the first dot of a version such as 17.0.15 or 21-ea.
major() {
  printf '%s\n' "$1" | sed 's/[^0-9].*//'
}

need_jdk() {
  if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
    javac=$JAVA_HOME/bin/javac
    where="JAVA_HOME is $JAVA_HOME"
  else
    java=java
    javac=javac
    where='JAVA_HOME is not set, so the PATH decides'
  fi
  command -v "$java" >/dev/null 2>&1 || fail "there is no java; install JDK 17 or newer ($where)"
  command -v "$javac" >/dev/null 2>&1 || fail "there is a java but no javac: a JRE is not enough, install JDK 17 or newer ($where)"
  version=$("$javac" -version 2>&1 | sed -n 's/^javac //p')
  [ "$(major "${version:-0}")" -ge 17 ] || fail "JDK 17 or newer is needed, this is ${version:-unknown} ($where)"
  version=$("$java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p' | head -n 1)
  [ "$(major "${version:-0}")" -ge 17 ] || fail "Java 17 or newer is needed, this is ${version:-unknown} ($where)"
}

need_maven() {
  command -v mvn >/dev/null 2>&1 || fail 'there is no mvn; install Maven 3.8 or newer'
  version=$(mvn -version 2>&1 | sed -n 's/.*Apache Maven \([0-9][^ ]*\).*/\1/p' | head -n 1)
  minor=$(printf '%s\n' "${version:-0.0}" | cut -d. -f2 | sed 's/[^0-9].*//')
  if [ "$(major "${version:-0}")" -lt 3 ] || { [ "$(major "$version")" -eq 3 ] && [ "${minor:-0}" -lt 8 ]; }; then
    fail "Maven 3.8 or newer is needed, this is ${version:-unknown}"
  fi
}

# Prints Maven's progress in one line, which is rewritten on a terminal and repeated every ten seconds elsewhere.
progress() {
  fetched=$(grep -c 'Downloaded from' "$log" || true)
  last=$(sed -n 's/.*Download\(ing\|ed\) from [^:]*: .*\/\([^ ]*\).*/\2/p' "$log" | tail -n 1)
  step=$(sed -n 's/^\[INFO\] --- \([a-z-]*\)-maven-plugin[:0-9.a-z]*:\([A-Za-z-]*\).*/\1 \2/p; s/^\[INFO\] --- maven-\([a-z-]*\)-plugin:[0-9.]*:\([A-Za-z-]*\).*/\1 \2/p' "$log" | tail -n 1)
  line="building: ${step:-starting Maven}, ${seconds} s"
  [ "$fetched" -eq 0 ] || line="$line, $fetched files downloaded (last: $last)"
  if [ -t 1 ]; then
    printf '\r\033[K%.100s' "$line"
  elif [ $((seconds % 10)) -eq 0 ]; then
    printf '%s\n' "$line"
  fi
}

build() {
  mkdir -p target
  : >"$log"
  mvn -B pre-integration-test -DskipTests -Dspotless.check.skip=true >"$log" 2>&1 </dev/null &
  maven=$!
  # A background process does not receive Ctrl-C.
  trap 'kill "$maven" 2>/dev/null; wait "$maven" || true; echo; exit 130' INT TERM HUP
  seconds=0
  while kill -0 "$maven" 2>/dev/null; do
    progress
    sleep 1
    seconds=$((seconds + 1))
  done
  trap - INT TERM HUP
  [ ! -t 1 ] || printf '\r\033[K'
  if wait "$maven"; then
    printf 'built in %s s\n' "$seconds"
    return
  fi
  if grep -Eq "$network" "$log"; then
    grep -Em 1 "$network" "$log" | cut -c 1-300 >&2
    fail "Maven could not download a file. Check the network; configure a proxy or a mirror in ~/.m2/settings.xml. Downloaded files are kept: run this again. The whole output is in $log"
  fi
  grep '^\[ERROR\]' "$log" | head -n 15 >&2
  fail "the build failed; the whole output is in $log"
}

case "$*" in
  '' | --for\ [0-9]*[smh]) ;;
  --help | -h)
    sed -n '2,4s/^# *//p' config/quickstart.sh
    exit 0
    ;;
  *) fail "unknown option: $*; the only option is --for with a time such as 60s or 5m" ;;
esac
need_jdk
need_maven
echo 'The first run downloads about 300 MB: Maven plugins, Kafka, a schema registry. Later runs need no network.'
build
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
  set -- --colour "$@"
fi
exec "$java" -Xmx256m -cp "target/test-classes:target/classes:$(cat target/test-classpath)" io.posconnect.demo.QuickStart "$@"
