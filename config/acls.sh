#!/bin/sh
# What the principal of the workers must be allowed to do, where Kafka asks: nothing else, and for no other topics.
#   sh config/acls.sh --bootstrap-server broker-1:9093 --command-config admin.properties
# Needs kafka-acls.sh on the PATH. The names are those of the files beside this one: group.id=connect-pos, topic.prefix=pos.
set -eu
principal=User:connect
group=connect-pos
prefix=pos

allow() {
  kafka-acls.sh "$@" --add --allow-principal "$principal" --force
}

# The workers find each other in this group.
allow "$@" --group "$group" --operation Read --operation Describe

# What Connect stores; every worker reads it, and the first creates it.
for topic in configs offsets status; do
  allow "$@" --topic "$group-$topic" \
    --operation Create --operation Describe --operation DescribeConfigs --operation Read --operation Write
done

# Under exactly-once the leader writes to the configs in transactions, each task <group.id>-<connector>-<task> its records.
allow "$@" --transactional-id "connect-cluster-$group" --operation Describe --operation Write
allow "$@" --transactional-id "$group-" --resource-pattern-type prefixed --operation Describe --operation Write

# The topics of the connector; it creates them as topic.creation says, and never reads them.
allow "$@" --topic "$prefix." --resource-pattern-type prefixed --operation Create --operation Describe --operation Write
