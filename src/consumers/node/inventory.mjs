// Folds the topic of inventory into the present rows, and reports whether any event is missing.
// Arguments: bootstrap servers, address of the registry (Confluent's API), topic prefix.
import avro from 'avsc';
import { Kafka, logLevel } from 'kafkajs';

const [brokers, registry, prefix] = process.argv.slice(2);

// Identifiers may be beyond 2^53, where the numbers of JavaScript are no longer exact.
const long = avro.types.LongType.__with({
  fromBuffer: (bytes) => bytes.readBigInt64LE(),
  toBuffer: (n) => new Uint8Array(BigInt64Array.of(n).buffer), // unused here
  fromJSON: BigInt,
  toJSON: String,
  isValid: (n) => typeof n === 'bigint',
  compare: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
});

const typeHook = (schema) => ((schema.type ?? schema) === 'long' ? long : undefined);

const types = new Map();
async function decode(message) {
  if (message === null) return null; // a tombstone
  const id = message.readInt32BE(1); // after a zero byte
  if (!types.has(id)) {
    const { schema } = await (await fetch(`${registry}/schemas/ids/${id}`)).json();
    types.set(id, avro.Type.forSchema(JSON.parse(schema), { typeHook }));
  }
  return types.get(id).fromBuffer(message.subarray(5));
}

const rows = new Map(); // by location and id
const seen = new Map(); // numbers of events, by location and numbering
const vouched = new Map(); // the latest checkpoint of each location
async function fold({ topic, message }) {
  const [key, value] = [await decode(message.key), await decode(message.value)];
  if (topic === `${prefix}.checkpoints`) {
    if (key.resource_name === 'inventory') vouched.set(key.location, value);
    return;
  }
  const name = `${key.location} ${key.inventoryId}`;
  const headers = message.headers ?? {}; // those of flat events are text
  const flat = headers.__source_seq !== undefined;
  const row = flat || value === null ? value : value.after; // null if it is deleted
  if (row === null) rows.delete(name);
  else rows.set(name, row);
  if (!flat && value === null) return; // the tombstone behind a delete has no number
  const epoch = flat ? `${headers.__source_epoch_ms}` : value.source.epoch_ms;
  const numbering = `${key.location} ${epoch}`;
  const number = flat ? BigInt(`${headers.__source_seq}`) : value.source.seq;
  seen.set(numbering, (seen.get(numbering) ?? new Set()).add(number));
}

const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.ERROR });
async function read(topic) {
  const admin = kafka.admin();
  await admin.connect();
  const ends = new Map(); // of the partitions that have messages
  for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
    if (high !== low) ends.set(partition, BigInt(high));
  }
  await admin.disconnect();
  const groupId = `inventory-${process.pid}-${topic}`;
  const consumer = kafka.consumer({ groupId, readUncommitted: false });
  const atEnd = new Promise((resolve) => {
    if (ends.size === 0) resolve();
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { partition, lastOffset } }) => {
      if (BigInt(lastOffset) + 1n >= ends.get(partition)) ends.delete(partition);
      if (ends.size === 0) resolve(); // a service would continue
    });
  });
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({ autoCommit: false, eachMessage: fold });
  await atEnd;
  await consumer.disconnect();
}

// Checkpoints first: the events that one vouches for are in the topic before it.
for (const topic of ['checkpoints', 'inventory']) await read(`${prefix}.${topic}`);
for (const row of rows.values()) {
  console.log(`${row.location} ${row.inventoryId} ${row.extra ?? '{}'}`);
}
for (const [location, { epoch_ms: epoch, seq }] of vouched) {
  const numbers = seen.get(`${location} ${epoch}`) ?? new Set();
  let first = 1n;
  while (numbers.has(first)) first += 1n;
  console.log(`${location}: ${first > seq ? 'complete' : `${first} is missing`} up to ${seq}`);
}
