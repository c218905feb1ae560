#!/bin/sh
# Grants the workers' principal all permissions that it needs, and no others.
#   sh acls.sh --bootstrap-server broker-1:9093 --command-config admin.properties
# Needs kafka-acls.sh on the PATH. The names match the files beside this one: group.id=connect-pos, topic.prefix=pos.
set -eu
principal=User:connect
group=connect-pos
prefix=pos

allow() {
  kafka-acls.sh "$@" --add --allow-principal "$principal" --force
}

# The workers find each other in this group.
allow "$@" --group "$group" --operation Read --operation Describe

# Connect's own topics: every worker reads them, and the first worker creates them.
for topic in configs offsets status; do
  allow "$@" --topic "$group-$topic" \
    --operation Create --operation Describe --operation DescribeConfigs --operation Read --operation Write
done

# Exactly-once: the leader writes configurations in transactions, and each task writes its records as
# <group.id>-<connector>-<task>.
allow "$@" --transactional-id "connect-cluster-$group" --operation Describe --operation Write
allow "$@" --transactional-id "$group-" --resource-pattern-type prefixed --operation Describe --operation Write

# The topics of the connector, which it creates according to topic.creation and never reads.
allow "$@" --topic "$prefix." --resource-pattern-type prefixed --operation Create --operation Describe --operation Write
