// Measures the cost of traces: Create Record with every request traced, compared with the same service without traces.
import { Child } from '../lib/child.mjs';
import { mainOf } from '../lib/packages.mjs';
import { compare } from '../lib/rounds.mjs';
import { startTraceCollector } from '../lib/trace-collector.mjs';
import { callsPerSecond, openConnections, requireOk } from './http-client.mjs';
import { onServiceCore } from './pinning.mjs';
import { createZones, recordBody } from './zones.mjs';

const CONNECTIONS = 32;

export async function measureTraces(platform, length) {
  const { apiUrl, apiPid, apiEnvironment } = platform;
  const zones = await createZones(platform, CONNECTIONS);
  const collector = await startTraceCollector();
  const traced = await Child.start(onServiceCore(mainOf('dns-api')), {
    ...apiEnvironment,
    ...collector.environment,
  });
  const sides = [
    { pid: traced.pid, url: new URL(traced.ready.addresses.http) },
    { pid: apiPid, url: apiUrl },
  ];
  const opened = [];
  try {
    for (const side of sides) {
      side.connections = await openConnections(side.url, CONNECTIONS);
      opened.push(...side.connections);
    }
    const [service, bare] = sides.map((side) => creating(platform, { ...side, zones }));
    return [
      await compare(length, {
        title: `Create Record, ${CONNECTIONS} connections, every request traced`,
        unit: '/s',
        against: 'the same without traces',
        service,
        bare,
      }),
    ];
  } finally {
    for (const connection of opened) connection.close();
    await traced.stop();
    collector.stop();
  }
}

function creating({ token }, { pid, connections, zones }) {
  let made = 0;
  const create = async (connection, at) => {
    const zone = zones[at % zones.length];
    made += 1;
    const body = recordBody(zone, `${pid}-${made}`);
    requireOk(await connection.request('POST', `/v1/domains/${zone.id}/records`, { token, body }));
  };
  return { pid, run: (seconds) => callsPerSecond(connections, seconds, create) };
}
