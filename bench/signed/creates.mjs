// Create Record in signed zones beside unsigned ones, by the same dns-api: requests a second, and its CPU for one.
import { compare } from '../lib/rounds.mjs';
import { callsPerSecond, openConnections, requireOk } from '../dns-api/http-client.mjs';
import { createZones, recordBody } from '../dns-api/zones.mjs';
import { printReport } from '../dns-api/report.mjs';
import { signZone, startSigningPlatform } from './platform.mjs';

const CONNECTIONS = 32;

export async function measureCreates({ rounds, seconds }) {
  const platform = await startSigningPlatform();
  const { signer } = platform;
  try {
    const results = [];
    for (const count of [CONNECTIONS, 1]) {
      const signed = await createZones(platform, count);
      const unsigned = await createZones(platform, count);
      for (const zone of signed) await signZone(platform, zone);
      results.push(await measure(platform, { rounds, seconds }, { signed, unsigned, signer }));
    }
    printReport(results, { rounds, seconds });
  } finally {
    await platform.stop();
  }
}

async function measure(platform, length, { signed, unsigned, signer }) {
  const { apiUrl, token, apiPid } = platform;
  const connections = await openConnections(apiUrl, CONNECTIONS);
  let made = 0;
  const createIn = (zones) => async (connection, at) => {
    const zone = zones[at % zones.length];
    made += 1;
    const body = recordBody(zone, made);
    const answer = await connection.request('POST', `/v1/domains/${zone.id}/records`, {
      token,
      body,
    });
    // A busy machine sends some away.
    if (answer.status !== 503) requireOk(answer);
  };
  const side = (pid, zones) => ({
    pid,
    run: (seconds) => callsPerSecond(connections, seconds, createIn(zones)),
  });
  try {
    return await compare(length, {
      title: `Create Record, ${CONNECTIONS} connections, ${signed.length} signed zone(s); CPU of dns-api and signer`,
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
