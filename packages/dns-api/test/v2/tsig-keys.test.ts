import { describe, expect, it } from '@jest/globals';
import { generateKeyringText, parseKeyring, secretIdentity } from '@zonewright/database';
import { createDomain } from '../support/fixtures.js';
import { useApi } from '../support/use-api.js';

const keyringText = generateKeyringText('k1');
const api = useApi({ env: { TRANSFER_ENCRYPTION_KEYS: keyringText } });
const bare = useApi();
const POOL = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
const SECRET = Buffer.from('a secret of 25 octets ...').toString('base64');

const asOperator = (...call: Parameters<typeof api.call>) => api.callAs('token-operator', ...call);
let names = 0;
const keyWith = (members: object = {}) => {
  names += 1;
  return {
    name: `key-${names}.example.com.`,
    algorithm: 'hmac-sha256',
    secret: SECRET,
    scope: 'POOL',
    resource_id: POOL,
    ...members,
  };
};

async function openSecret(id: string): Promise<string> {
  const { rows } = await api.db.raw<{ rows: { sealed: Buffer; keyId: string }[] }>(
    'select secret_sealed as sealed, secret_key_id as "keyId" from dns.tsig_keys where id = ?',
    [id],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no such key');
  return parseKeyring(keyringText).open(row, secretIdentity.tsigKey(id)).toString('base64');
}

describe('TSIG keys (v2)', () => {
  it('are created, listed, changed and deleted by operators; the secret is sealed, and shown only in the response to a request that contains it', async () => {
    const body = keyWith();
    const made = await asOperator('post', '/v2/tsigkeys', body).expect(201);
    const { id } = made.body as { id: string };
    const one = `/v2/tsigkeys/${id}`;
    expect(made.body).toMatchObject({ ...body, links: { self: `${api.url}${one}` } });
    expect(await openSecret(id)).toBe(SECRET);
    const shown = await asOperator('get', one).expect(200);
    expect(shown.body).toEqual({ ...(made.body as object), secret: null });
    const listed = await asOperator('get', `/v2/tsigkeys?name=${body.name}`).expect(200);
    expect(listed.body).toMatchObject({ tsigkeys: [shown.body] });
    const renamed = await asOperator('patch', one, { name: 'other-name' }).expect(200);
    expect(renamed.body).toMatchObject({ name: 'other-name', secret: null });
    expect(await openSecret(id)).toBe(SECRET);
    const next = Buffer.alloc(32, 7).toString('base64');
    const changed = await asOperator('patch', one, { secret: next }).expect(200);
    expect(changed.body).toMatchObject({ secret: next });
    expect(await openSecret(id)).toBe(next);
    await asOperator('delete', one).expect(204);
    await asOperator('get', one).expect(404);
  });

  it('have names that differ by the rules of DNS names', async () => {
    const body = keyWith({ name: 'Transfer.Example' });
    await asOperator('post', '/v2/tsigkeys', body).expect(201);
    const same = { ...body, name: 'transfer.example.' };
    expect((await asOperator('post', '/v2/tsigkeys', same)).status).toBe(409);
  });

  it('can be limited to one zone', async () => {
    const { id } = await createDomain(api);
    await asOperator('post', '/v2/tsigkeys', keyWith({ scope: 'ZONE', resource_id: id })).expect(
      201,
    );
    await asOperator('post', '/v2/tsigkeys', keyWith({ scope: 'ZONE', resource_id: POOL })).expect(
      400,
    );
    const ofPool = keyWith({ resource_id: id });
    expect((await asOperator('post', '/v2/tsigkeys', ofPool)).status).toBe(400);
  });

  it.each([
    [{ algorithm: 'hmac-md5' }, 'algorithm'],
    [{ secret: 'not base64 !' }, 'secret'],
    [{ secret: 'c2hvcnQ=' }, 'secret'],
    [{ secret: undefined }, 'secret'],
    [{ scope: 'ALL' }, 'scope'],
    [{ resource_id: 'x' }, 'resource_id'],
    [{ name: 'a key' }, 'name'],
    [{ name: undefined }, 'name'],
    [{ odd: 1 }, 'odd'],
  ])('refuse %j, and do not repeat the secret', async (members, path) => {
    const response = await asOperator('post', '/v2/tsigkeys', keyWith(members)).expect(400);
    expect(response.body).toMatchObject({ errors: [{ path }] });
    expect(response.text).not.toContain('base64 !');
  });

  it.each([
    ['SomeSecretKey', 'secret is not base64; write 8 to 512 octets in base64'],
    ['c2hvcnQ=', 'secret has 5 octets; write 8 to 512 octets in base64'],
    [5, 'secret must be 8 to 512 octets in base64'],
  ])('explain the error in the secret %j', async (secret, said) => {
    const response = await asOperator('post', '/v2/tsigkeys', keyWith({ secret })).expect(400);
    expect((response.body as { message: string }).message).toContain(said);
  });

  it('are not stored for an Idempotency-Key, and are only for operators', async () => {
    const call = asOperator('post', '/v2/tsigkeys', keyWith());
    await call.set('Idempotency-Key', 'k1').expect(400);
    await api.call('get', '/v2/tsigkeys').expect(403);
    expect((await api.call('post', '/v2/tsigkeys', keyWith())).status).toBe(403);
  });

  it('are refused by a service without a keyring', async () => {
    const response = await bare
      .callAs('token-operator', 'post', '/v2/tsigkeys', keyWith())
      .expect(403);
    expect((response.body as { message: string }).message).toMatch(/TRANSFER_ENCRYPTION_KEYS/);
  });
});
