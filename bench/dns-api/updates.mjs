// Measures Update Record with 32 connections, compared with creates in the same zones.
import { compare } from '../lib/rounds.mjs';
import { callsPerSecond, openConnections, requireOk } from './http-client.mjs';
import { createZones, recordBody } from './zones.mjs';

const CONNECTIONS = 32;

export async function measureUpdates(platform, length) {
  const zones = await createZones(platform, CONNECTIONS);
  return [
    await measure(platform, length, { zones, title: 'each in a zone of its own' }),
    await measure(platform, length, { zones: zones.slice(0, 1), title: 'in one zone' }),
  ];
}

async function measure({ apiUrl, apiPid, token }, length, { zones, title }) {
  const connections = await openConnections(apiUrl, CONNECTIONS);
  let made = 0;
  const create = async (connection, zone) => {
    made += 1;
    const body = recordBody(zone, `${title.length}-updates-${made}`);
    const path = `/v1/domains/${zone.id}/records`;
    return JSON.parse(requireOk(await connection.request('POST', path, { token, body })).text());
  };
  const updated = [];
  for (const [at, connection] of connections.entries()) {
    const zone = zones[at % zones.length];
    updated.push({ zone, record: await create(connection, zone) });
  }
  const runWith = (send) => ({
    pid: apiPid,
    run: (seconds) => callsPerSecond(connections, seconds, (one, at) => send(one, updated[at])),
  });
  try {
    return await compare(length, {
      title: `Update Record, ${CONNECTIONS} connections, ${title}`,
      unit: '/s',
      against: 'Create Record',
      service: runWith(async (connection, { zone, record }) => {
        made += 1;
        const path = `/v1/domains/${zone.id}/records/${record.id}`;
        requireOk(await connection.request('PUT', path, { token, body: { ttl: made } }));
      }),
      bare: runWith(async (connection, { zone }) => {
        await create(connection, zone);
      }),
    });
  } finally {
    for (const connection of connections) connection.close();
  }
}
