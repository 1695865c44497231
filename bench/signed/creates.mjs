// Create Record in signed zones beside unsigned ones, by the same dns-api: requests a second, and its CPU for one.
import { compare } from '../lib/rounds.mjs';
import { callsPerSecond, openConnections, requireOk } from '../dns-api/http-client.mjs';
import { startPlatform } from '../dns-api/platform.mjs';
import { createZones, recordBody } from '../dns-api/zones.mjs';
import { printReport } from '../dns-api/report.mjs';
import { serviceKit } from '../lib/packages.mjs';
import { SIGNER_SECRET, startSigner } from './platform.mjs';

const CONNECTIONS = 32;
const POLL_MS = 200;

export async function measureCreates({ rounds, seconds }) {
  const port = await serviceKit.freePort();
  const env = { SIGNER_URL: `http://127.0.0.1:${port}`, SIGNER_SECRET };
  const platform = await startPlatform({ env });
  let signer;
  try {
    await platform.db.raw(
      `update dns.nameserver_status as s set capabilities = '{dnssec}' where s.capabilities is null`,
    );
    signer = await startSigner(platform.url, port);
    const results = [];
    for (const count of [CONNECTIONS, 1]) {
      const signed = await createZones(platform, count);
      const unsigned = await createZones(platform, count);
      for (const zone of signed) await sign(platform, zone);
      results.push(await measure(platform, { rounds, seconds }, { signed, unsigned, signer }));
    }
    printReport(results, { rounds, seconds });
  } finally {
    await signer?.stop();
    await platform.stop();
  }
}

async function sign({ apiUrl, token, db }, { id }) {
  const [connection] = await openConnections(apiUrl, 1);
  const path = `/v1/domains/${id}/dnssec`;
  requireOk(await connection.request('PUT', path, { token, body: { enabled: true } }));
  connection.close();
  for (;;) {
    const { rows } = await db.raw(
      'select z.state from dns.zone_dnssec as z where z.domain_id = ?',
      [id],
    );
    if (rows[0]?.state === 'signed') return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
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
