// Measures Create Record in signed and unsigned zones with one dns-api: requests per second, and CPU time per request.
import { compare } from '../lib/rounds.mjs';
import { callsPerSecond, openConnections, requireOk } from '../dns-api/http-client.mjs';
import { createZones, recordBody } from '../dns-api/zones.mjs';
import { printReport } from '../dns-api/report.mjs';
import { signZone, startSigningPlatform } from './platform.mjs';

export async function measureCreates({ rounds, seconds, connections }) {
  const platform = await startSigningPlatform();
  const { signer } = platform;
  try {
    const results = [];
    for (const count of [connections, 1]) {
      const signed = await createZones(platform, count);
      const unsigned = await createZones(platform, count);
      for (const zone of signed) await signZone(platform, zone);
      results.push(
        await measure(platform, { rounds, seconds }, { signed, unsigned, signer, connections }),
      );
    }
    printReport(results, { rounds, seconds });
  } finally {
    await platform.stop();
  }
}

async function measure(platform, length, { signed, unsigned, signer, connections: count }) {
  const { apiUrl, token, apiPid } = platform;
  const connections = await openConnections(apiUrl, count);
  let made = 0;
  const createIn = (zones) => async (connection, at) => {
    const zone = zones[at % zones.length];
    made += 1;
    const body = recordBody(zone, made);
    requireOk(await connection.request('POST', `/v1/domains/${zone.id}/records`, { token, body }));
  };
  const side = (pid, zones) => ({
    pid,
    run: (seconds) => callsPerSecond(connections, seconds, createIn(zones)),
  });
  try {
    return await compare(length, {
      title: `Create Record, ${count} connections, ${signed.length} signed zone(s); CPU of dns-api and signer`,
      unit: '/s',
      against: 'the same, unsigned',
      goal: 0.7,
      service: side([apiPid, signer.pid], signed),
      bare: side([apiPid], unsigned),
    });
  } finally {
    for (const connection of connections) connection.close();
  }
}
