// Measures ACME challenges with a key that can do nothing else, until all six nameservers must answer with the text.
// The time starts with the request, or with the start of the program. The nameservers are queried over UDP.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Resolver } from 'node:dns/promises';
import { mainOf } from '../lib/packages.mjs';
import { milliseconds, percentile } from './writes.mjs';

/** Rounds with the program, which is a new process each time. */
const PROGRAM_ROUNDS = 30;

export async function measureChallenges({ platform, nameservers, zones, seconds }) {
  const [zone] = zones;
  const key = await makeKey(platform, zone.name);
  const fqdn = `_acme-challenge.www.${zone.name}`;
  const resolvers = nameservers.ports().map((port) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 1 });
    resolver.setServers([`127.0.0.1:${port}`]);
    return resolver;
  });
  const rows = [];
  for (const [what, rounds, act] of [
    ['POST /httpreq/present', seconds * 10, byHttpreq],
    ['zonewright acme present, with the start of the program', PROGRAM_ROUNDS, byProgram],
  ]) {
    const times = [];
    let answered = 0;
    for (let round = 0; round < rounds; round++) {
      const value = randomBytes(32).toString('base64url');
      const started = performance.now();
      await act({ platform, key, fqdn, value }, 'present');
      times.push(performance.now() - started);
      const texts = await Promise.all(
        resolvers.map((resolver) => resolver.resolveTxt(fqdn).catch(() => [])),
      );
      if (texts.every((all) => all.flat().includes(value))) answered++;
      await act({ platform, key, fqdn, value }, 'cleanup');
    }
    rows.push({
      what: `${what} (all six answer behind ${answered} of ${rounds})`,
      measured: `p50 ${milliseconds(percentile(times, 0.5))}, p95 ${milliseconds(percentile(times, 0.95))}`,
      goal: 'p95 300 ms',
    });
  }
  return rows;
}

async function byHttpreq({ platform, key, fqdn, value }, act) {
  const basic = Buffer.from(`${key.accessKeyId}:${key.secretKey}`).toString('base64');
  const response = await fetch(new URL(`/httpreq/${act}`, platform.apiUrl), {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
    body: JSON.stringify({ fqdn, value }),
  });
  if (!response.ok) throw new Error(`answered ${response.status}: ${await response.text()}`);
}

async function byProgram({ platform, key, fqdn, value }, act) {
  const program = spawn(process.execPath, [mainOf('cli'), 'acme', act, fqdn, value], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      ZONEWRIGHT_IDENTITY_URL: platform.identityUrl,
      ZONEWRIGHT_DNS_URL: platform.apiUrl.href,
      ZONEWRIGHT_TENANT_ID: platform.tenantId,
      ZONEWRIGHT_ACCESS_KEY: key.accessKeyId,
      ZONEWRIGHT_SECRET_KEY: key.secretKey,
    },
  });
  const [code] = await once(program, 'close');
  if (code !== 0) throw new Error(`zonewright acme ${act} ended with ${code}`);
}

async function makeKey({ identityUrl, token }, zone) {
  const response = await fetch(new URL('/v2.0/EXT-IDM/v1.0/accesskeys', identityUrl), {
    method: 'POST',
    headers: { 'x-auth-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({ accessKey: { otherAttributes: { preset: 'acme', zone } } }),
  });
  if (!response.ok) throw new Error(`no key: ${response.status} ${await response.text()}`);
  return (await response.json()).accessKey;
}
