// Measures the time from the commit of an update to the answer of a Knot secondary, for this service and for another
// Knot as primary.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  nameToWire,
  RR_CLASS,
  RR_TYPE,
  writeMessage,
} from '../../packages/dns-records/dist/index.js';
import { openConnections, requireOk } from '../dns-api/http-client.mjs';
import { serviceKit } from '../lib/packages.mjs';
import { open, percentiles, update } from './client.mjs';
import { startKnot } from './others.mjs';

const CHANGES = Number(process.env.BENCH_UPDATES || 200);
const LIMIT_MS = 10_000;

export async function measurePublication(platform, ours, size) {
  return [
    {
      title: 'From commit to the answer of a Knot secondary',
      ...(await ofOurs(platform, ours, size)),
    },
    {
      title: 'From commit at a Knot to the answer of a Knot secondary',
      ...(await ofKnot(platform, size)),
    },
  ];
}

async function ofOurs(platform, ours, size) {
  const port = await serviceKit.freePort();
  const key = await createPeer(platform, port);
  const zone = ours.zones.get(size);
  const secondary = await startSecondary({ platform, port, zone, key, primaryPort: ours.port });
  try {
    return await ours.withCommits(zone, (commit) => measure(port, zone, commit));
  } finally {
    await secondary.stop();
  }
}

async function ofKnot(platform, size) {
  const port = await serviceKit.freePort();
  const primary = await startKnot(platform, size, {
    remotes: `remote:\n  - id: secondary\n    address: 127.0.0.1@${port}\n    key: bench.\n`,
    zone: '    notify: secondary\n',
  });
  const { zone, key } = primary;
  const secondary = await startSecondary({ platform, port, zone, key, primaryPort: primary.port });
  const client = await open(primary.port);
  try {
    return await measure(port, zone, async () => (await update(client, zone, key)).name);
  } finally {
    client.close();
    await secondary.stop();
    await primary.stop();
  }
}

async function startSecondary({ platform, port, zone, key, primaryPort }) {
  return await startKnot(platform, 0, {
    ...{ port, name: zone, key },
    remotes: `remote:\n  - id: primary\n    address: 127.0.0.1@${primaryPort}\n    key: ${key.name}\n`,
    zone: '    master: primary\n',
  });
}

async function createPeer({ apiUrl, token }, port) {
  const [connection] = await openConnections(apiUrl, 1);
  const notify = [{ address: '127.0.0.1', port }];
  const body = { name: 'knot', networks: ['127.0.0.0/8'], notify, algorithm: 'hmac-sha256' };
  const answer = requireOk(await connection.request('POST', '/v1/peers', { token, body }));
  connection.close();
  const { name, algorithm, secret } = JSON.parse(answer.text()).key;
  return { name, algorithm, secret: Buffer.from(secret, 'base64') };
}

async function measure(port, zone, commit) {
  const client = createSocket('udp4');
  const took = [];
  try {
    await untilItHas(client, port, zone, RR_TYPE.SOA);
    for (let at = 0; at < CHANGES; at += 1) {
      const name = await commit();
      const committedAt = performance.now();
      await untilItHas(client, port, name, RR_TYPE.A);
      took.push(performance.now() - committedAt);
    }
  } finally {
    client.close();
  }
  return percentiles(took);
}

async function untilItHas(client, port, name, type) {
  const questions = [{ name: nameToWire(name), type, class: RR_CLASS.IN }];
  const query = writeMessage({ id: 7, flags: 0, questions });
  for (const until = performance.now() + LIMIT_MS; performance.now() < until; await delay(1)) {
    client.send(query, port, '127.0.0.1');
    const [answer] = await once(client, 'message', { signal: AbortSignal.timeout(1_000) }).catch(
      () => [],
    );
    if (answer !== undefined && answer.readUInt16BE(6) > 0) return;
  }
  throw new Error(`The secondary never had ${name}.`);
}
