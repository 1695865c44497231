// Makes changes through the API in several domains, at a steady rate that does not depend on the responses.
import { setTimeout as delay } from 'node:timers/promises';
import http from 'node:http';

const ZONES = 20;
const agent = new http.Agent({ keepAlive: true, maxSockets: 4_000 });

/** Resolves with { status, published, milliseconds }. */
function send({ apiUrl, token }, { method, path, body, prefer }) {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.request(new URL(path, apiUrl), {
      agent,
      method,
      headers: {
        'x-auth-token': token,
        'content-type': 'application/json',
        ...(prefer === undefined ? {} : { prefer }),
      },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => {
        if (response.statusCode !== 200) {
          reject(new Error(`answered ${response.statusCode}: ${text}`));
          return;
        }
        resolve({
          body: text === '' ? undefined : JSON.parse(text),
          published: response.headers['x-zonewright-published'],
          milliseconds: performance.now() - started,
        });
      });
    });
    request.end(JSON.stringify(body));
  });
}

export async function createZones(platform) {
  const zones = [];
  for (let n = 0; n < ZONES; n++) {
    const name = `publication-${n}.example.`;
    const body = { name, email: 'hostmaster@bench.example' };
    zones.push((await send(platform, { method: 'POST', path: '/v1/domains', body })).body);
  }
  return zones;
}

let records = 0;

/** Creates a record with a unique name, in one zone after the other. */
export function createRecord(platform, zones, prefer) {
  records += 1;
  const zone = zones[records % zones.length];
  return send(platform, {
    method: 'POST',
    path: `/v1/domains/${zone.id}/records`,
    body: { name: `r${records}.${zone.name}`, type: 'A', data: '192.0.2.1' },
    prefer,
  });
}

/** Sends a write that does not change a domain. */
export function updateNothing(platform, { id, email }, prefer) {
  return send(platform, { method: 'PUT', path: `/v1/domains/${id}`, body: { email }, prefer });
}

/** Starts `perSecond` calls each second. Resolves with all responses. */
export async function createSteadily({ perSecond, seconds, begin }) {
  const answers = [];
  const started = performance.now();
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = started + (n * 1_000) / perSecond;
    const wait = due - performance.now();
    if (wait > 0) await delay(wait);
    const answer = begin();
    // The promise is awaited below. Before that, an error must not end the program.
    answer.catch(() => undefined);
    answers.push(answer);
  }
  return await Promise.all(answers);
}

export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
}

export const milliseconds = (value) => `${value.toFixed(1)} ms`;
