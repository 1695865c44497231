import { beforeAll, expect, it } from '@jest/globals';
import { RR_TYPE } from '@zonewright/dns-records';
import { CDS_DELETE, signedRecordsFromOctets } from '@zonewright/dns-records/dnssec';
import { addNameservers, waitFor } from '@zonewright/testkit';
import { createDomain, createRecord, type DomainBody } from '../support/fixtures.js';
import { readSignedZone, ZoneVerifier } from '../support/signed-zone.js';
import { useApi } from '../support/use-api.js';
import { signerEnv, useSigner } from '../support/use-signer.js';

const env = await signerEnv();
const api = useApi({ env: { ...env, DNS_API_MAX_DOMAINS: '1000' } });
const signer = useSigner(api, env);
const verifier = new ZoneVerifier();
beforeAll(async () => {
  await addNameservers(api.db);
});

type State = 'signing' | 'signed' | 'leaving';

const setState = (db: typeof api.db, { id }: DomainBody, state: State) =>
  db.raw('update dns.zone_dnssec as z set state = ? where z.domain_id = ?', [state, id]);

async function readCds({ id }: DomainBody): Promise<Buffer[]> {
  const { rows } = await api.db.raw<{ rows: { records: Buffer }[] }>(
    `select n.records from dns.signed_names as n where n.domain_id = ? and n.canonical = ''`,
    [id],
  );
  const records = rows.flatMap((row) => signedRecordsFromOctets(row.records));
  return records.filter(({ type }) => type === RR_TYPE.CDS).map(({ rdata }) => Buffer.from(rdata));
}

async function isAnybodyWaiting(): Promise<boolean> {
  const { rows } = await api.db.raw<{ rows: unknown[] }>(
    `select from pg_stat_activity as a where a.wait_event_type = 'Lock' and a.datname = current_database()`,
  );
  return rows.length > 0;
}

it.each<[from: State, to: State]>([
  ['signing', 'signed'],
  ['signed', 'leaving'],
])(
  'a change that waits for its domain, which is %s before and %s afterwards, is signed in the new state',
  async (from, to) => {
    const domain = await createDomain(api);
    await createRecord(api, domain.id, { name: `a.${domain.name}`, type: 'A', data: '192.0.2.1' });
    await api.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true }).expect(200);
    await signer.run();
    await setState(api.db, domain, from);
    let created: Promise<unknown> = Promise.resolve();
    await api.db.transaction(async (trx) => {
      await trx.raw('select from dns.domains as d where d.id = ? for update', [domain.id]);
      const record = { name: `b.${domain.name}`, type: 'A', data: '192.0.2.1' };
      created = createRecord(api, domain.id, record);
      // The error is reported where the promise is awaited below.
      created.catch(() => undefined);
      await waitFor(isAnybodyWaiting);
      await setState(trx, domain, to);
    });
    await created;
    const text = await readSignedZone(api.db, domain.name);
    expect(await verifier.faultsOf(domain.name, text)).toBe('');
    expect(text).toContain(`\nb.${domain.name} `);
    expect(await readCds(domain)).toEqual(to === 'leaving' ? [Buffer.from(CDS_DELETE)] : []);
  },
);
