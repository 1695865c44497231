import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DATABASE_ROLES,
  generateKeyringText,
  openDatabase,
  parseKeyring,
} from '@zonewright/database';
import { createLogger, systemClock } from '@zonewright/service-kit';
import { type IdentityWorld, seedIdentity, useTestDatabase, waitFor } from '@zonewright/testkit';
import { ChangeWatch, createTokenServices, issueToken, type TokenServices } from '../src/index.js';

const database = useTestDatabase();
const keyring = parseKeyring(generateKeyringText('test'));
const log = createLogger('test', 'silent');

let world: IdentityWorld;
let watch: ChangeWatch;
let services: TokenServices;
let close: () => Promise<void>;

beforeAll(async () => {
  world = await seedIdentity(database.db, keyring);
  const url = database.urlAs(DATABASE_ROLES.identityService);
  const db = openDatabase({ url, applicationName: 'validator-test', maxConnections: 2 });
  watch = new ChangeWatch({ databaseUrl: url, db, log });
  services = createTokenServices({ db, clock: systemClock, log, keyring, watch, redis: undefined });
  watch.start();
  await waitFor(() => watch.isListening);
  close = async () => {
    await watch.stop();
    await db.destroy();
  };
});
afterAll(() => close());

async function newToken(): Promise<string> {
  const account = await services.directory.findAccount(world.user.id);
  return (await issueToken(services, { account: account!, tenant: undefined }, 'password')).tokenId;
}

describe('TokenValidator (ADR 0003)', () => {
  it('recognizes a known valid token by its whole text only', async () => {
    const id = await newToken();
    const token = await services.validator.find(id);
    expect(token).toMatchObject({ id, account: { id: world.user.id }, isBlocked: false });
    expect(await services.validator.find(id)).toBe(token);
    const turned = (at: number) =>
      `${id.slice(0, at)}${id[at] === 'A' ? 'B' : 'A'}${id.slice(at + 1)}`;
    const dot = id.lastIndexOf('.');
    for (const wrong of [
      turned(0),
      turned(dot - 1),
      turned(dot + 1),
      turned(dot + 20),
      `${id}s`,
      id.slice(0, -1),
      id.slice(0, dot),
      '',
    ]) {
      expect(await services.validator.find(wrong)).toBeUndefined();
    }
  });

  it('answers without a query only what it can prove, and nothing without Redis', async () => {
    const id = await newToken();
    await services.validator.find(id);
    expect(services.validator.findKnown(id)).toBeUndefined();
  });

  it('queries again after PostgreSQL has announced a change', async () => {
    const id = await newToken();
    const token = await services.validator.find(id);
    const generation = watch.accountsGeneration;
    await database.db.raw(`update identity.users as u set status = 'suspended' where u.id = ?`, [
      world.user.id,
    ]);
    await waitFor(() => watch.accountsGeneration > generation);
    const suspended = await services.validator.find(id);
    expect(suspended).not.toBe(token);
    expect(suspended?.isBlocked).toBe(true);
    await database.db.raw(`update identity.users as u set status = 'enabled' where u.id = ?`, [
      world.user.id,
    ]);
    await waitFor(async () => (await services.validator.find(id))?.isBlocked === false);
  });

  it('refuses a revoked token at once', async () => {
    const id = await newToken();
    const token = await services.validator.find(id);
    await services.tokenStates.revoke(id, token!.claims);
    expect(await services.validator.find(id)).toBeUndefined();
  });
});
