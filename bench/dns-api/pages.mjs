// Measures a page near the end of a list, in domains of 1,000 and of 1,000,000 records: with keyset paging, the size
// has no effect. Each marker is used once between two changes of the zone, so that every page is read from the
// database.
import { callsPerSecond, openConnections, requireOk } from './http-client.mjs';
import { compare } from '../lib/rounds.mjs';
import { createZones, fillZone, stepSerial } from './zones.mjs';

const SMALL = 1_000;
const LARGE = 1_000_000;
const LIMIT = 100;
/** Number of markers for each domain. Each is followed by a full page. */
const MARKERS = 800;

export async function measurePages(platform, length) {
  const { apiUrl, token, db } = platform;
  const [small, large] = await createZones(platform, 2);
  await fillZone(db, small, SMALL);
  await fillZone(db, large, LARGE);
  await db.raw('analyze dns.records');
  const connections = await openConnections(apiUrl, 1);
  const pagesOf = async (zone, count) => {
    const markers = await deepMarkers(db, zone, count);
    let next = 0;
    return async (seconds) => {
      await stepSerial(db, zone);
      next = 0;
      return await callsPerSecond(connections, seconds, async (connection) => {
        if (next === markers.length) {
          await stepSerial(db, zone);
          next = 0;
        }
        const path = `/v1/domains/${zone.id}/records?limit=${LIMIT}&marker=${markers[next]}`;
        next += 1;
        requireOk(await connection.request('GET', path, { token }));
      });
    };
  };
  try {
    return [
      await compare(length, {
        title: `A page of ${LIMIT} of ${LARGE.toLocaleString('en')} records, one connection`,
        unit: '/s',
        against: `the same of ${SMALL.toLocaleString('en')} records`,
        goal: 0.8,
        service: { pid: platform.apiPid, run: await pagesOf(large, LARGE) },
        bare: { pid: platform.apiPid, run: await pagesOf(small, SMALL) },
      }),
    ];
  } finally {
    for (const connection of connections) connection.close();
  }
}

/**
 * Returns the ids of records that are followed by a full page, evenly distributed after the first tenth of the domain.
 */
async function deepMarkers(db, zone, count) {
  const first = Math.floor(count / 10);
  const last = count - LIMIT;
  const step = Math.max(1, Math.floor((last - first) / MARKERS));
  const { rows } = await db.raw(
    `select r.id from (select r.id, row_number() over (order by r.created_at, r.id) as position
                         from dns.records as r where r.domain_id = ?) as r
      where r.position between ? and ? and r.position % ? = 0 limit ?`,
    [zone.id, first, last, step, MARKERS],
  );
  return rows.map(({ id }) => id);
}
