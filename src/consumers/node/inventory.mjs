// Folds the topic of inventory into the rows that there are, and tells whether it has them all.
// Arguments: bootstrap servers, address of the registry (Confluent's API), topic prefix.
import avro from 'avsc';
import { Kafka, logLevel } from 'kafkajs';

const [brokers, registry, prefix] = process.argv.slice(2);
const IDLE_MS = 5000; // a service would go on for ever

// Identifiers may be beyond 2^53, where the numbers of JavaScript are no longer exact.
const long = avro.types.LongType.__with({
  fromBuffer: (bytes) => bytes.readBigInt64LE(),
  toBuffer: (n) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(n);
    return bytes;
  },
  fromJSON: BigInt,
  toJSON: String,
  isValid: (n) => typeof n === 'bigint',
  compare: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
});

const types = new Map();
async function decode(message) {
  if (message === null) return null; // a tombstone
  const id = message.readInt32BE(1); // behind a zero
  if (!types.has(id)) {
    const { schema } = await (await fetch(`${registry}/schemas/ids/${id}`)).json();
    types.set(id, avro.Type.forSchema(JSON.parse(schema), { registry: { long } }));
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
  const name = `${key.location}/${key.inventoryId}`;
  if (value === null || value.op === 'd') rows.delete(name);
  else rows.set(name, value.after);
  if (value === null) return; // it has no number
  const numbering = `${key.location} ${value.source.epoch_ms}`;
  if (!seen.has(numbering)) seen.set(numbering, new Set());
  seen.get(numbering).add(value.source.seq);
}

function tell() {
  for (const row of rows.values()) console.log(`${row.inventoryId} ${row.extra}`);
  for (const [location, { epoch_ms: epoch, seq }] of vouched) {
    const numbers = seen.get(`${location} ${epoch}`) ?? new Set();
    let last = 0n;
    while (numbers.has(last + 1n)) last += 1n;
    console.log(`${location}: ${last}/${seq}`);
  }
  process.exit();
}

const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.ERROR });
const consumer = kafka.consumer({ groupId: `inventory-${process.pid}`, readUncommitted: false });
await consumer.connect();
const topics = [`${prefix}.checkpoints`, `${prefix}.inventory`];
await consumer.subscribe({ topics, fromBeginning: true });
let idle = setTimeout(tell, 12 * IDLE_MS); // to join a group takes a while
await consumer.run({
  eachMessage: async (each) => {
    await fold(each);
    clearTimeout(idle);
    idle = setTimeout(tell, IDLE_MS);
  },
});
