// Measures the duration of single writes and reads with one connection and one request at a time.
import { openConnections, requireOk } from './http-client.mjs';
import { latency } from './latency.mjs';
import { createZones, recordBody } from './zones.mjs';

const REQUESTS_PER_ROUND = 500;

export async function measureSingles(platform, { rounds }) {
  const { apiUrl, token } = platform;
  const [zone] = await createZones(platform, 1);
  const [connection] = await openConnections(apiUrl, 1);
  const collection = `/v1/domains/${zone.id}/records`;
  const times = { create: [], update: [], get: [], list: [] };
  const timed = async (kind, method, path, body) => {
    const started = performance.now();
    const answer = requireOk(await connection.request(method, path, { token, body }));
    times[kind].push(performance.now() - started);
    return JSON.parse(answer.text());
  };
  for (let number = 1; number <= rounds * REQUESTS_PER_ROUND; number += 1) {
    const { id } = await timed('create', 'POST', collection, recordBody(zone, number));
    await timed('update', 'PUT', `${collection}/${id}`, { ttl: number });
    await timed('get', 'GET', `${collection}/${id}`);
    await timed('list', 'GET', `${collection}?limit=100`);
  }
  connection.close();
  return [
    latency('Create Record', times.create),
    latency('Update Record', times.update),
    latency('Get Record', times.get),
    latency('List Records, limit=100, each after a change', times.list),
  ];
}
