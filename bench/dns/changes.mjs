// Measures the time from the commit of a change to the first answer with it. Changes are made at a steady rate, while
// other queries use half of the nameserver's capacity.
import { createSocket } from 'node:dgram';
import { database } from '../lib/packages.mjs';
import { startDatabase, withDatabase } from './database.mjs';
import { askSteadily, saturate } from './dnsperf.mjs';
import { distribution, printTable, whole } from './report.mjs';
import { addressQuery, endProcess, startServer } from './server-process.mjs';

/** Interval of queries for a change, in milliseconds. */
const LOOK_INTERVAL_MS = 0.5;
const LIMIT_MS = 10_000;
/** Time limit for loading zones, in milliseconds. */
const LOAD_LIMIT_MS = 120_000;
/** First address of each zone's second name in database.mjs. */
const FIRST_ADDRESS = Buffer.from([198, 51, 0, 1]);

export async function measureChanges(world) {
  const { questions, seconds } = world;
  const { db, nameserverUrl, stop } = await startDatabase(world);
  const server = await startServer('changes', withDatabase(nameserverUrl), world);
  try {
    await untilLoaded(server.port, world.size.zones);
    // Warm up first, until JIT compilers have finished.
    await changeSteadily(db, server.port, { ...world, seconds: 1 });
    const { perSecond } = await saturate(server.port, questions, seconds);
    const rows = [
      ['none', await withLoad(0)],
      [`${whole(perSecond / 2)} /s`, await withLoad(perSecond / 2)],
    ];
    printTable(
      `${world.changes} changes a second for ${2 * seconds} s, each of one record in one of ${whole(world.size.zones)} zones of ${world.size.records}`,
      ['queries of others', 'changes', 'p50, ms', 'p99, ms', 'longest, ms'],
      rows.map(([load, { count, p50, p99, longest }]) => [
        load,
        count,
        ...[p50, p99, longest].map((ms) => ms.toFixed(1)),
      ]),
    );
  } finally {
    await endProcess(server.child);
    await stop();
  }

  async function withLoad(rate) {
    const load = rate === 0 ? undefined : askSteadily(server.port, questions, 2 * seconds, rate);
    const latencies = await changeSteadily(db, server.port, world);
    await load;
    return { count: latencies.length, ...distribution(latencies) };
  }
}

/**
 * Waits until the zones are loaded. The server answers for the large zone first; the other zones are read in the
 * meantime.
 */
async function untilLoaded(port, zones) {
  const watcher = new Watcher(port);
  const some = Array.from({ length: 10 }, (_, tenth) => Math.floor((zones * (tenth + 1)) / 10) - 1);
  await Promise.all(
    some.map((number) =>
      watcher.until(`h1.z${number}.example`, FIRST_ADDRESS, performance.now(), LOAD_LIMIT_MS),
    ),
  );
  watcher.close();
}

/** Resolves with the milliseconds from the commit of each change to its answer. */
async function changeSteadily(db, port, { size: { zones }, seconds, changes: rate }) {
  const watcher = new Watcher(port);
  const changes = [];
  const startedAt = performance.now();
  for (let number = 0; number < rate * 2 * seconds; number++) {
    const dueAt = startedAt + (number * 1_000) / rate;
    const wait = dueAt - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const latency = change(db, watcher, `z${number % zones}.example`);
    // The error is reported when the promise is awaited below. Before that it must not end the program.
    latency.catch(() => undefined);
    changes.push(latency);
  }
  const latencies = await Promise.all(changes);
  watcher.close();
  return latencies;
}

/** Changes a name to an address that it has never had. */
let changed = 0;
async function change(db, watcher, zone) {
  const name = `h1.${zone}`;
  const address = Buffer.alloc(4);
  address.writeUInt32BE(0x0a000000 + ++changed);
  await db.transaction(async (trx) => {
    const { rows } = await trx.raw(
      `update dns.domains as d set serial = d.serial + 1, changed_in = pg_current_xact_id()
        where d.name = ? returning d.id`,
      [`${zone}.`],
    );
    await trx.raw(
      `update dns.records as r set data = ?, rdata = ?, rdata_digest = sha256(?)
        where r.domain_id = ? and r.name = ? and r.type = 'A'`,
      [address.join('.'), address, address, rows[0].id, `${name}.`],
    );
    await database.announceZoneChange(trx, rows[0].id);
  });
  const committedAt = performance.now();
  return await watcher.until(name, address, committedAt);
}

/** Queries names repeatedly until their answers contain the awaited data. */
export class Watcher {
  #socket = createSocket('udp4');
  #port;
  #waiting = new Map();
  #nextId = 0;
  #timer;

  constructor(port) {
    this.#port = port;
    this.#socket.on('message', (answer) => this.#look(answer));
  }

  until(name, address, committedAt, limitMs = LIMIT_MS) {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++ % 65_536;
      const query = addressQuery(name, id);
      this.#waiting.set(id, { query, address, committedAt, limitMs, resolve, reject });
      this.#ask(query);
      this.#timer ??= setInterval(() => this.#askAgain(), LOOK_INTERVAL_MS);
    });
  }

  close() {
    clearInterval(this.#timer);
    this.#socket.close();
  }

  #askAgain() {
    for (const [id, { query, committedAt, limitMs, reject }] of this.#waiting) {
      this.#ask(query);
      if (performance.now() - committedAt < limitMs) continue;
      this.#waiting.delete(id);
      reject(new Error(`A change was not answered within ${limitMs} ms.`));
    }
  }

  #ask(query) {
    this.#socket.send(query, this.#port, '127.0.0.1');
  }

  /** The address is at the end of an answer with one record and without additional data. */
  #look(answer) {
    const id = answer.readUInt16BE(0);
    const change = this.#waiting.get(id);
    if (change === undefined || !answer.subarray(-4).equals(change.address)) return;
    this.#waiting.delete(id);
    change.resolve(performance.now() - change.committedAt);
  }
}
