// Creates zones and records for the benchmark through the API or, by the million, with SQL.
import { openConnections, requireOk } from './http-client.mjs';

let made = 0;

/** Creates empty zones. Resolves with { id, name } of each. */
export async function createZones({ apiUrl, token }, count) {
  const [connection] = await openConnections(apiUrl, 1);
  const zones = [];
  for (let each = 0; each < count; each += 1) {
    made += 1;
    const body = { name: `zone-${made}.example.com.`, email: 'hostmaster@example.com' };
    zones.push(
      JSON.parse(
        requireOk(await connection.request('POST', '/v1/domains', { token, body })).text(),
      ),
    );
  }
  connection.close();
  return zones;
}

/** Returns the body of the n-th record created in a zone. */
export function recordBody(zone, number) {
  return { name: `host-${number}.${zone.name}`, type: 'A', data: '192.0.2.1', ttl: 3600 };
}

/** Fills an empty zone with `count` A records by SQL, in the order of their creation times. */
export async function fillZone(db, zone, count) {
  await db.raw(
    `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest, ttl, created_at)
     select d.id, 'host-' || n || '.' || d.name, 'A', host('10.0.0.0'::inet + n),
            int4send(167772160 + n), sha256(int4send(167772160 + n)), 3600, d.created_at + make_interval(secs => n / 1e6)
       from dns.domains as d, generate_series(1, ?::integer) as n where d.id = ?`,
    [count, zone.id],
  );
  await db.raw('update dns.domains as d set record_count = ? where d.id = ?', [count, zone.id]);
  await stepSerial(db, zone);
}

/** Increases the serial as every change of a zone does, so that cached responses are no longer valid. */
export async function stepSerial(db, zone) {
  await db.raw('update dns.domains as d set serial = d.serial + 1 where d.id = ?', [zone.id]);
}
