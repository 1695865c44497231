// Restarts six nameservers under load, one after the other, several times.
import { once } from 'node:events';
import { startDatabase, withDatabase } from './database.mjs';
import { askSteadily } from './dnsperf.mjs';
import { printTable, whole } from './report.mjs';
import { endProcess, findFreePort, startPinned, untilAnswered } from './server-process.mjs';

const { QueryLoad } = await import(
  new URL('../../packages/testkit/dist/query-load.js', import.meta.url)
);
const SERVERS = 6;
/**
 * Queries per second to each server over UDP by dnsperf. In addition, clients use TCP with a new connection for each
 * query.
 */
const QUERIES_A_SECOND = 1_000;
const TCP_CLIENTS = 2;
const READY_INTERVAL_MS = 50;
const PIECE_SECONDS = 10;

export async function measureRestart(world) {
  const { nameserverUrl, stop } = await startDatabase(world);
  const servers = [];
  try {
    for (let number = 1; number <= SERVERS; number++) {
      const port = await findFreePort();
      const child = await start(number, port, nameserverUrl);
      servers.push({ number, port, child });
    }
    const load = loadOf(servers, world.questions);
    const startedAt = performance.now();
    for (let roll = 1; roll <= world.rolls; roll++) {
      for (const server of servers) await replace(server, nameserverUrl);
      console.error(`rolled ${roll} times`);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    const { udp, lost, tcp, refused } = await load.stop();
    printTable(
      `Six nameservers of ${whole(world.recordCount)} records replaced ${world.rolls} times in ${whole(seconds)} s`,
      ['queries over UDP', 'without an answer', 'connections over TCP', 'refused or reset'],
      [[whole(udp), lost, whole(tcp), refused]],
    );
  } finally {
    await Promise.all(servers.map(({ child }) => endProcess(child)));
    await stop();
  }
}

async function start(number, port, url) {
  const operationsPort = await findFreePort();
  const { arguments: program, environment } = withDatabase(url, {
    NAMESERVER_HANDOVER: 'true',
    NAMESERVER_NAME: `ns1-${number}`,
    NAMESERVER_OPERATIONS_PORT: String(operationsPort),
  }).prepare({ port });
  const child = startPinned([process.execPath, ...program], environment);
  const isReady = async () =>
    (await fetch(`http://127.0.0.1:${operationsPort}/readyz`)).status === 200;
  while (!(await isReady().catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`a nameserver ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, READY_INTERVAL_MS));
  }
  await untilAnswered(child, port);
  return child;
}

async function replace(server, url) {
  const old = server.child;
  server.child = await start(server.number, server.port, url);
  const exited = once(old, 'exit');
  old.kill('SIGTERM');
  await exited;
}

/** Runs dnsperf in short pieces, so that it can end when the restarts end. */
function loadOf(servers, questions) {
  let isOver = false;
  const connections = servers.map(({ port }) => {
    const load = new QueryLoad(
      { host: '127.0.0.1', port },
      { name: 'h1.large.example', udpPerSecond: 0, tcpClients: TCP_CLIENTS },
    );
    load.start();
    return load;
  });
  const pieces = servers.map(async ({ port }) => {
    const sum = { completed: 0, lost: 0 };
    while (!isOver) {
      const piece = await askSteadily(port, questions, PIECE_SECONDS, QUERIES_A_SECOND);
      sum.completed += piece.completed;
      sum.lost += piece.lost;
    }
    return sum;
  });
  return {
    async stop() {
      isOver = true;
      const sums = await Promise.all(pieces);
      const results = await Promise.all(connections.map((load) => load.stop()));
      const total = (list, of) => list.reduce((sum, each) => sum + of(each), 0);
      return {
        udp: total(sums, ({ completed, lost }) => completed + lost),
        lost: total(sums, ({ lost }) => lost),
        tcp: total(results, ({ tcpQueries }) => tcpQueries),
        refused: total(results, ({ tcpFailures }) => tcpFailures.length),
      };
    },
  };
}
