import { describe, expect, it } from '@jest/globals';
import { secretIdentity } from '@zonewright/database';
import { insertUser, type TestUser, waitFor } from '@zonewright/testkit';
import jwt from 'jsonwebtoken';
import { randomBytes } from 'node:crypto';
import { derive, revoke, setPassword, statusOf } from './ends-of-tokens.js';
import { keyring, useIdentity } from './use-identity.js';

const TWELVE_HOURS_S = 12 * 60 * 60;

describe('Tokens of a version that knew no lineage (ADR 0019, Old code beside new)', () => {
  const identity = useIdentity();

  /** Returns a token as that version signed it. */
  async function oldToken(user: TestUser): Promise<string> {
    const { rows } = await identity.db.raw<{
      rows: { id: string; sealed: Buffer; keyId: string }[];
    }>(
      `select id, secret_sealed as sealed, secret_key_id as "keyId" from identity.signing_keys where is_primary`,
    );
    const [{ id, ...secret }] = rows as [(typeof rows)[number]];
    const iat = Date.now() / 1000;
    return jwt.sign(
      {
        s: `.${Buffer.from(user.id, 'hex').toString('base64url')}`,
        m: 'p',
        jti: randomBytes(12).toString('base64url'),
        iat,
        exp: iat + TWELVE_HOURS_S,
      },
      keyring.open(secret, secretIdentity.signingKey(id)),
      { algorithm: 'HS256', header: { alg: 'HS256', typ: undefined, kid: id } },
    );
  }
  const newUser = () =>
    insertUser(identity.db, { accountDomainId: identity.world.accountDomainId });
  const areEnded = async (...tokens: string[]) => {
    const statuses = await Promise.all(tokens.map((token) => statusOf(identity.url, token)));
    return statuses.every((status) => status === 401);
  };

  it('are valid, and end with their revocation, as do tokens derived from them', async () => {
    const [token, other] = [
      await oldToken(identity.world.user),
      await oldToken(identity.world.user),
    ];
    const derived = (await derive(identity.url, token)) ?? '';
    const last = (await derive(identity.url, derived)) ?? '';
    for (const good of [token, derived, last, other]) {
      expect(await statusOf(identity.url, good)).toBe(200);
    }
    expect(await revoke(identity.url, token)).toBe(204);
    await waitFor(() => areEnded(token, derived, last));
    expect(await statusOf(identity.url, other)).toBe(200);
  });

  it('end with a new password, as do tokens derived from them', async () => {
    const user = await newUser();
    const token = await oldToken(user);
    const derived = (await derive(identity.url, token)) ?? '';
    expect(await statusOf(identity.url, derived)).toBe(200);
    await setPassword(identity.db, user.id, 'another');
    await waitFor(() => areEnded(token, derived));
  });
});
