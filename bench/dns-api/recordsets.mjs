// Compares Designate v2 with v1: the cost of a recordset and of a record, and the effect of a zone's size on lists of
// recordsets. BENCH_ZONE_RECORDS sets the number of records in the large zone, BENCH_CONNECTIONS the number of creating
// connections.
import { callsPerSecond, openConnections, requireOk } from './http-client.mjs';
import { compare } from '../lib/rounds.mjs';
import { createZones, fillZone, recordBody } from './zones.mjs';

const CONNECTIONS = Number(process.env.BENCH_CONNECTIONS || 32);
/** Lists of a large zone have fewer slots, so that one tenant cannot take all. */
const LIST_CONNECTIONS = 4;
const LISTED = 100;
const SMALL = 200;
const LARGE = Number(process.env.BENCH_ZONE_RECORDS || 1_000_000);

export async function measureRecordsets(platform, length) {
  return [await measureCreate(platform, length), await measureList(platform, length)];
}

async function measureCreate(platform, length) {
  const { apiUrl, apiPid, token } = platform;
  const zones = await createZones(platform, CONNECTIONS);
  const connections = await openConnections(apiUrl, CONNECTIONS);
  let made = 0;
  const runWith = (send) => ({
    pid: apiPid,
    run: (seconds) =>
      callsPerSecond(connections, seconds, async (connection, at) => {
        made += 1;
        await send(connection, zones[at], recordBody(zones[at], made));
      }),
  });
  try {
    return await compare(length, {
      title: `Create Recordset (v2), ${CONNECTIONS} connections, each in a zone of its own; CPU a call at most 1.15 times`,
      unit: '/s',
      against: 'Create Record (v1)',
      service: runWith(async (connection, { id }, { name, type, data, ttl }) => {
        const body = { name, type, records: [data], ttl };
        const path = `/v2/zones/${id}/recordsets`;
        requireOk(await connection.request('POST', path, { token, body }), 202);
      }),
      bare: runWith(async (connection, { id }, body) => {
        requireOk(await connection.request('POST', `/v1/domains/${id}/records`, { token, body }));
      }),
    });
  } finally {
    for (const connection of connections) connection.close();
  }
}

async function measureList(platform, length) {
  const { apiUrl, apiPid, token, db } = platform;
  const [small, large] = await createZones(platform, 2);
  await fillZone(db, small, SMALL);
  await fillZone(db, large, LARGE);
  await db.raw('vacuum analyze dns.records');
  const connections = await openConnections(apiUrl, LIST_CONNECTIONS);
  const listsOf = ({ id }) => ({
    pid: apiPid,
    run: (seconds) =>
      callsPerSecond(connections, seconds, async (connection) => {
        const path = `/v2/zones/${id}/recordsets?limit=${LISTED}`;
        requireOk(await connection.request('GET', path, { token }));
      }),
  });
  try {
    return await compare(length, {
      title: `List Recordsets (v2), ${LISTED} of a zone with ${LARGE.toLocaleString('en')} records, ${LIST_CONNECTIONS} connections`,
      unit: '/s',
      against: `the same of a zone with ${SMALL} records`,
      goal: 0.8,
      service: listsOf(large),
      bare: listsOf(small),
    });
  } finally {
    for (const connection of connections) connection.close();
  }
}
