"""Folds the topic of inventory into the present rows, and reports whether any event is missing.

Arguments: bootstrap servers, address of the registry (Confluent's API), topic prefix.
"""
import io
import json
import struct
import sys
import urllib.request

import fastavro
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, TopicPartition

servers, registry, prefix = sys.argv[1:]
schemas = {}
rows = {}  # by location and id
seen = {}  # numbers of events, by location and numbering
vouched = {}  # the latest checkpoint of each location


def decode(message):
    """Decodes a zero byte, four bytes with the id of the writer's schema, and Avro."""
    (number,) = struct.unpack(">I", message[1:5])
    if number not in schemas:
        with urllib.request.urlopen(f"{registry}/schemas/ids/{number}") as answer:
            schema = json.loads(json.load(answer)["schema"])
        schemas[number] = fastavro.parse_schema(schema)
    return fastavro.schemaless_reader(io.BytesIO(message[5:]), schemas[number], None)


def fold(message):
    key = decode(message.key())
    value = None if message.value() is None else decode(message.value())  # None: a tombstone
    if message.topic().endswith(".checkpoints"):
        if key["resource_name"] == "inventory":
            vouched[key["location"]] = value
        return
    name = (key["location"], key["inventoryId"])
    headers = dict(message.headers() or ())  # those of flat events are text
    flat = "__source_seq" in headers
    row = value if flat or value is None else value["after"]  # None if it is deleted
    if row is None:
        rows.pop(name, None)
    else:
        rows[name] = row
    if flat:
        epoch, number = int(headers["__source_epoch_ms"]), int(headers["__source_seq"])
    elif value is not None:
        epoch, number = value["source"]["epoch_ms"], value["source"]["seq"]
    else:
        return  # the tombstone behind a delete has no number
    seen.setdefault((key["location"], epoch), set()).add(number)


consumer = Consumer(
    {
        "bootstrap.servers": servers,
        "group.id": "inventory",  # required, but unused: partitions are assigned
        "isolation.level": "read_committed",
        "enable.auto.commit": False,
        "enable.partition.eof": True,
    }
)
# Checkpoints first: the events that one vouches for are in the topic before it.
for topic in (f"{prefix}.checkpoints", f"{prefix}.inventory"):
    partitions = consumer.list_topics(topic, timeout=30).topics[topic].partitions
    consumer.assign([TopicPartition(topic, number, OFFSET_BEGINNING) for number in partitions])
    unread = set(partitions)
    while unread:  # a service would continue
        message = consumer.poll(1)
        if message is None:
            continue
        if not message.error():
            fold(message)
        elif message.error().code() == KafkaError._PARTITION_EOF:
            unread.discard(message.partition())
        else:
            raise KafkaException(message.error())
consumer.close()
for row in rows.values():
    print(row["location"], row["inventoryId"], row["extra"] or "{}")
for location, checkpoint in vouched.items():
    numbers, last = seen.get((location, checkpoint["epoch_ms"]), set()), checkpoint["seq"]
    missing = next((number for number in range(1, last + 1) if number not in numbers), None)
    print(f"{location}: {f'{missing} is missing' if missing else 'complete'} up to {last}")
