import { beforeAll, describe, expect, it } from '@jest/globals';
import { addNameservers } from '@zonewright/testkit';
import { createDomain, createRecord, type DomainBody, readDomain } from '../support/fixtures.js';
import { readSignedZone, ZoneVerifier } from '../support/signed-zone.js';
import { useApi } from '../support/use-api.js';
import { signerEnv, useSigner } from '../support/use-signer.js';

const env = await signerEnv();
const api = useApi({
  env: { ...env, DNS_API_MAX_DOMAINS: '1000', DNS_API_PRIVATE_PRIMARIES: 'true' },
});
const signer = useSigner(api, env);
const verifier = new ZoneVerifier();
beforeAll(async () => {
  await addNameservers(api.db);
});

/** The SHA-256 digest of an earlier provider's key. */
const DS = `12345 13 2 ${'ab'.repeat(32)}`;

/** Creates a DS record; types other than the first seven are created in batches. */
async function createDs(parent: DomainBody, name: string): Promise<void> {
  const operations = [{ action: 'create', record: { name, type: 'DS', data: DS } }];
  await api.call('post', `/v1/domains/${parent.id}/batch`, { operations }).expect(200);
}

/** Creates a domain that delegates `child` to another provider, who signs it. */
async function createDelegating({ isSigned }: { isSigned: boolean }): Promise<DomainBody> {
  const parent = await createDomain(api);
  const name = `child.${parent.name}`;
  await createRecord(api, parent.id, { name, type: 'NS', data: 'ns.other-provider.net.' });
  await createDs(parent, name);
  if (isSigned) await sign(parent);
  return parent;
}

async function sign({ id }: DomainBody): Promise<void> {
  await api.call('put', `/v1/domains/${id}/dnssec`, { enabled: true }).expect(200);
  await signer.run();
}

async function listTypes({ id }: DomainBody): Promise<string[]> {
  const listed = await api
    .call('get', `/v1/domains/${id}/records?limit=100&all_types=true`)
    .expect(200);
  return (listed.body as { records: { type: string }[] }).records
    .map(({ type }) => type)
    .toSorted();
}

async function expectValid({ name }: DomainBody): Promise<string> {
  const text = await readSignedZone(api.db, name);
  expect(await verifier.faultsOf(name, text)).toBe('');
  return text;
}

describe('RFC 4035 s2.4: a child domain that comes to this service', () => {
  it.each([true, false])(
    'removes the DS of its earlier provider from its parent (signed: %s)',
    async (isSigned) => {
      const parent = await createDelegating({ isSigned });
      const before = await api.call('get', `/v1/domains/${parent.id}`).expect(200);
      await createDomain(api, { name: `child.${parent.name}` });
      expect(await listTypes(parent)).toEqual(['NS']);
      const { serial } = before.body as DomainBody;
      const history = await api
        .call('get', `/v1/domains/${parent.id}/changes?limit=10&extended=true`)
        .expect(200);
      expect((history.body as { changes: unknown[] }).changes[0]).toMatchObject({
        serial_before: serial,
        action: 'record-delete',
        before: { type: 'DS', data: expect.stringMatching(/^12345 13 2 /) },
      });
      if (!isSigned) await sign(parent);
      expect(await expectValid(parent)).not.toContain(' IN DS ');
    },
  );

  it('does so when it is restored, too', async () => {
    const parent = await createDelegating({ isSigned: true });
    const child = await createDomain(api, { name: `child.${parent.name}` });
    await api.call('delete', `/v1/domains/${child.id}`).expect(200);
    await createDs(parent, child.name);
    expect(await expectValid(parent)).toContain(`${child.name} 300 IN NSEC`);
    await api.call('post', `/v1/domains/${child.id}/undelete`).expect(200);
    expect(await listTypes(parent)).toEqual(['NS']);
    await expectValid(parent);
  });

  it('does so, too, in a parent that had been deleted', async () => {
    const parent = await createDelegating({ isSigned: true });
    await api.call('delete', `/v1/domains/${parent.id}`).expect(200);
    await createDomain(api, { name: `child.${parent.name}` });
    const back = await api.call('post', `/v1/domains/${parent.id}/undelete`).expect(200);
    const { serial } = await readDomain(api, parent.id);
    expect((back.body as DomainBody).serial).toBe(serial);
    expect(await listTypes(parent)).toEqual(['NS']);
    await expectValid(parent);
  });

  it('keeps the DS if it has primaries, because they sign it', async () => {
    const parent = await createDelegating({ isSigned: true });
    const zone = { name: `child.${parent.name}`, type: 'SECONDARY', masters: ['127.0.0.1:1'] };
    const created = await api.call('post', '/v2/zones', zone).expect(202);
    expect(await listTypes(parent)).toEqual(['DS', 'NS']);
    expect(await expectValid(parent)).toContain(`${zone.name} 3600 IN DS`);
    const { id } = created.body as { id: string };
    await api.call('delete', `/v1/domains/${id}`).expect(200);
    await api.call('post', `/v1/domains/${id}/undelete`).expect(200);
    expect(await listTypes(parent)).toEqual(['DS', 'NS']);
    await expectValid(parent);
    // From now on nobody signs the child zone.
    await api.call('delete', `/v1/domains/${id}/primaries`).expect(200);
    expect(await listTypes(parent)).toEqual(['NS']);
    await expectValid(parent);
  });

  it('keeps the DS records of other delegations', async () => {
    const parent = await createDelegating({ isSigned: true });
    const name = `other.${parent.name}`;
    await createRecord(api, parent.id, { name, type: 'NS', data: 'ns.other-provider.net.' });
    await createDs(parent, name);
    await createDomain(api, { name: `child.${parent.name}` });
    expect(await listTypes(parent)).toEqual(['DS', 'NS', 'NS']);
    await expectValid(parent);
  });
});
