import { beforeAll, describe, expect, it } from '@jest/globals';
import { AUDIT_BEGIN, auditNames, type AuditPosition } from '@zonewright/zones';
import { addNameservers } from '@zonewright/testkit';
import { createDomain, createRecord } from '../support/fixtures.js';
import { useApi } from '../support/use-api.js';
import { signerEnv, useSigner } from '../support/use-signer.js';

const env = await signerEnv();
const api = useApi({ env });
const signer = useSigner(api, env);
let zoneId = '';
let zoneName = '';

beforeAll(async () => {
  await addNameservers(api.db);
  const { id, name } = await createDomain(api);
  [zoneId, zoneName] = [id, name];
  for (const owner of ['www', 'deep.below', '*.wild']) {
    const record = { name: `${owner}.${name}`, type: 'A', data: '192.0.2.1' };
    await createRecord(api, id, record);
  }
  const cut = { name: `cut.${name}`, type: 'NS', data: 'ns.example.net.' };
  await createRecord(api, id, cut);
  await createRecord(api, id, { name: `ns.cut.${name}`, type: 'A', data: '192.0.2.1' });
  await api.call('put', `/v1/domains/${id}/dnssec`, { enabled: true }).expect(200);
  await signer.run();
});

/** Audits the whole zone, two names at a time. */
async function audit(now = new Date()): Promise<string | undefined> {
  let place: AuditPosition | undefined = AUDIT_BEGIN;
  while (place !== undefined) {
    const found: Awaited<ReturnType<typeof auditNames>> = await auditNames(api.db, {
      ...{ zoneId, place, now },
      limit: 2,
    });
    if (found.problem !== undefined) return found.problem;
    place = found.next;
  }
  return undefined;
}

/** Changes rows without signing them, returns the result of the audit, and restores the rows. */
async function auditAfter(sql: string): Promise<string | undefined> {
  const kept = 'select * from dns.signed_names where domain_id = ?';
  const { rows } = await api.db.raw<{ rows: object[] }>(kept, [zoneId]);
  const records = await api.db('dns.records').where({ domain_id: zoneId });
  await api.db.raw(sql, { zoneId, www: `www.${zoneName}` });
  try {
    return await audit();
  } finally {
    await api.db('dns.signed_names').where({ domain_id: zoneId }).delete();
    await api.db('dns.signed_names').insert(rows);
    await api.db('dns.records').where({ domain_id: zoneId }).delete();
    await api.db('dns.records').insert(records as object[]);
  }
}

const OF_WWW = `domain_id = :zoneId and canonical = convert_to('www', 'UTF8') || decode('00', 'hex')`;

describe("RFC 4035 s2: the signer's audit of a signed zone", () => {
  it('finds no faults in a domain that was signed with its changes, and runs once a day', async () => {
    expect(await audit()).toBeUndefined();
    for (let round = 0; round < 4; round += 1) await signer.run();
    const { rows } = await api.db.raw<{ rows: object[] }>(
      'select audited_at is not null as audited, audit_problem as problem from dns.zone_dnssec',
    );
    expect(rows).toEqual([{ audited: true, problem: null }]);
  });

  it.each([
    [
      'a different signature',
      `update dns.signed_names set records = set_byte(records, length(records) - 1, get_byte(records, length(records) - 1) # 1)
        where ${OF_WWW}`,
      'cannot be verified',
    ],
    [
      'a record that was not signed',
      `update dns.records set rdata = decode('c0000209', 'hex') where domain_id = :zoneId and name = :www`,
      'www.',
    ],
    [
      'a name that is not in the chain',
      `delete from dns.signed_names where ${OF_WWW}`,
      'has records that differ from the signed ones: NSEC',
    ],
    [
      'a name that should not be in the chain',
      'delete from dns.records where domain_id = :zoneId and name = :www',
      'has signatures, but no records',
    ],
  ])('finds %s', async (_what, sql, words) => {
    expect(await auditAfter(sql)).toContain(words);
  });

  it('finds signatures that have expired', async () => {
    expect(await audit(new Date(Date.now() + 30 * 86_400_000))).toContain('is not valid now');
  });
});
