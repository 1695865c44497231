import { beforeAll, expect, it } from '@jest/globals';
import { addNameservers, waitFor } from '@zonewright/testkit';
import { createDomain } from '../support/fixtures.js';
import { useApi } from '../support/use-api.js';
import { signerEnv, useSigner } from '../support/use-signer.js';

const NAMES = 3_000;
/**
 * The number of rows that each name costs: it is written, read back, read again for its neighbours, and read once more
 * by the check of the whole chain.
 */
const ROWS_OF_A_NAME = 14;

const env = await signerEnv();
const api = useApi({ env: { ...env, DNS_API_MAX_DOMAIN_RECORDS: '5000' } });
const signer = useSigner(api, env);
beforeAll(async () => {
  await addNameservers(api.db);
});

/**
 * Returns the statistics of the table of signed names as far as sessions have reported them; a session that ends
 * reports all of them.
 */
async function readCounts(): Promise<{ written: number; read: number }> {
  const { rows } = await api.db.raw<{ rows: { written: number; read: number }[] }>(
    `select cast(s.n_tup_ins as integer) as written, cast(s.idx_tup_fetch + s.seq_tup_read as integer) as read
       from pg_stat_user_tables as s where s.relid = cast('dns.signed_names' as regclass)`,
  );
  return rows[0]!;
}

it('a first signing reads as much of each name in a large zone as in a small one', async () => {
  const domain = await createDomain(api);
  const lines = Array.from({ length: NAMES }, (_, at) => `h${at} IN A 192.0.2.1`);
  await api
    .call('post', `/v1/domains/${domain.id}/import`, { zonefile: lines.join('\n') })
    .expect(200);
  await api.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true }).expect(200);
  const before = await readCounts();
  await signer.run();
  await signer.stop();
  const { written, read } = await waitFor(async () => {
    const now = await readCounts();
    return now.written > before.written + NAMES && now;
  });
  const names = written - before.written;
  expect((read - before.read) / names).toBeLessThan(ROWS_OF_A_NAME);
}, 120_000);

it('a zone with more names than one statement removes can be unsigned', async () => {
  await signer.start();
  const domain = await createDomain(api);
  const path = `/v1/domains/${domain.id}/dnssec`;
  await api.call('put', path, { enabled: true }).expect(200);
  await signer.run();
  await api.db.raw(
    `insert into dns.signed_names (domain_id, canonical, records, resign_at)
     select ?, convert_to('h' || g, 'UTF8') || '\\x00', '', now() + interval '1 day' from generate_series(1, 2500) as g`,
    [domain.id],
  );
  await api.call('delete', `${path}?force=true`).expect(200);
  await signer.run();
  const { rows } = await api.db.raw<{ rows: { left: number }[] }>(
    'select cast(count(*) as integer) as left from dns.signed_names as n where n.domain_id = ?',
    [domain.id],
  );
  expect(rows).toEqual([{ left: 0 }]);
}, 120_000);
