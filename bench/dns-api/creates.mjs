// Measures Create Record with 32 connections, compared with a bare loop of the same transactions.
import { fileURLToPath } from 'node:url';
import { Child } from '../lib/child.mjs';
import { callsPerSecond, openConnections, requireOk } from './http-client.mjs';
import { onServiceCore } from './pinning.mjs';
import { recordStatements } from './record-statements.mjs';
import { compare } from '../lib/rounds.mjs';
import { createZones, recordBody } from './zones.mjs';

const CONNECTIONS = 32;
const BARE = fileURLToPath(new URL('bare-transactions.mjs', import.meta.url));

export async function measureCreates(platform, length) {
  const zones = await createZones(platform, CONNECTIONS);
  return [
    await measure(platform, length, {
      zones,
      title: `${CONNECTIONS} connections, each in a zone of its own`,
    }),
    await measure(platform, length, {
      zones: zones.slice(0, 1),
      title: `${CONNECTIONS} connections in one zone`,
    }),
  ];
}

async function measure(platform, length, { zones, title }) {
  const { apiUrl, token } = platform;
  const recorded = await recordStatements(platform, (await createZones(platform, 1))[0]);
  const bare = await Child.start(onServiceCore(BARE));
  const url = platform.apiEnvironment.DATABASE_URL;
  await bare.ask({ type: 'open', url, connections: CONNECTIONS, recorded, zones });
  const connections = await openConnections(apiUrl, CONNECTIONS);
  let made = 0;
  const create = async (connection, at) => {
    const zone = zones[at % zones.length];
    made += 1;
    const body = recordBody(zone, `${title.length}-${made}`);
    requireOk(await connection.request('POST', `/v1/domains/${zone.id}/records`, { token, body }));
  };
  try {
    return await compare(length, {
      title: `Create Record, ${title}`,
      unit: '/s',
      against: `the same ${recorded.statements.length} statements over \`pg\``,
      goal: 0.5,
      service: {
        pid: platform.apiPid,
        run: (seconds) => callsPerSecond(connections, seconds, create),
      },
      bare: {
        pid: bare.pid,
        run: async (seconds) => (await bare.ask({ type: 'run', seconds })).answer,
      },
    });
  } finally {
    for (const connection of connections) connection.close();
    await bare.stop();
  }
}
