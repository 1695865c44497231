import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  type Database,
  generateKeyringText,
  parseKeyring,
  secretIdentity,
} from '@zonewright/database';
import { CSK_FLAGS, generateSigningKey, keyTagOf } from '@zonewright/dns-records/dnssec';
import { keyVersion } from '@zonewright/zones';
import { createPublicKey, randomUUID } from 'node:crypto';
import { keyCreator, PrivateKeys } from './private-keys.js';

afterEach(() => {
  jest.restoreAllMocks();
});

const keyring = parseKeyring(generateKeyringText('test'));
const ZONE = randomUUID();

/** Returns the row of a key as PostgreSQL returns it. */
function rowOf(change: object = {}) {
  const { privateKey, publicKey } = generateSigningKey(13);
  const id = randomUUID();
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  const { sealed, keyId } = keyring.seal(der, secretIdentity.zoneKey(id));
  const keyTag = keyTagOf({ flags: CSK_FLAGS, algorithm: 13, publicKey });
  return {
    ...{ zoneName: 'example.', id, algorithm: 13, flags: CSK_FLAGS, keyTag, publicKey },
    ...{ state: 'active' as const, dsFrom: null, sealed, secretKeyId: keyId, ...change },
  };
}

type Row = ReturnType<typeof rowOf>;

/** Returns a database with these rows that counts the queries. */
function databaseOf(rows: readonly Row[]) {
  const database = { rows, asked: 0 };
  const raw = () => {
    database.asked += 1;
    return Promise.resolve({ rows: database.rows.map((row) => ({ ...row })) });
  };
  return { database, db: { raw } as unknown as Database };
}

describe('PrivateKeys', () => {
  it('opens the keys of a zone, and returns no sealed data', async () => {
    const row = rowOf();
    const { db } = databaseOf([row]);
    const zone = await new PrivateKeys(keyring).find(db, ZONE);
    expect(zone).toMatchObject({ name: 'example.', keys: [{ id: row.id, keyTag: row.keyTag }] });
    const [key] = zone!.keys;
    expect(key).not.toHaveProperty('secret');
    const jwk = createPublicKey(key!.privateKey).export({ format: 'jwk' });
    const point = Buffer.concat([jwk.x, jwk.y].map((each) => Buffer.from(each!, 'base64url')));
    expect(point).toEqual(row.publicKey);
  });

  it('opens a key once', async () => {
    const { db } = databaseOf([rowOf()]);
    const keys = new PrivateKeys(keyring);
    const open = jest.spyOn(keyring, 'open');
    const first = await keys.find(db, ZONE);
    const again = await keys.find(db, ZONE);
    expect(again!.keys[0]!.privateKey).toBe(first!.keys[0]!.privateKey);
    expect(open).toHaveBeenCalledTimes(1);
  });

  it('keeps only the signing key of an opened key in memory', async () => {
    const { db } = databaseOf([rowOf()]);
    const open = keyring.open.bind(keyring);
    const opened: Buffer[] = [];
    jest.spyOn(keyring, 'open').mockImplementation((...sealed) => {
      opened.push(open(...sealed));
      return opened[0]!;
    });
    await new PrivateKeys(keyring).find(db, ZONE);
    expect(opened).toEqual([Buffer.alloc(opened[0]!.length)]);
  });

  it('returns undefined for a zone without keys', async () => {
    const { db } = databaseOf([]);
    const keys = new PrivateKeys(keyring);
    expect(await keys.find(db, ZONE)).toBeUndefined();
    expect(await keys.findKnown(db, ZONE, '')).toBeUndefined();
  });

  it('caches keys for a minute, for callers that have seen the same ones', async () => {
    const row = rowOf();
    const { db, database } = databaseOf([row]);
    let elapsed = 1_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => elapsed);
    const keys = new PrivateKeys(keyring);
    const version = keyVersion([row]);
    const zone = await keys.findKnown(db, ZONE, version);
    expect(zone).toMatchObject({ name: 'example.', keys: [{ id: row.id }] });
    elapsed += 59_999;
    expect((await keys.findKnown(db, ZONE, version))?.keys).toBe(zone?.keys);
    expect(database.asked).toBe(1);
    elapsed += 1;
    await keys.findKnown(db, ZONE, version);
    expect(database.asked).toBe(2);
    await keys.findKnown(db, ZONE, 'another');
    expect(database.asked).toBe(3);
  });

  it('removes deleted keys from the cache', async () => {
    const row = rowOf();
    const { db, database } = databaseOf([row]);
    const keys = new PrivateKeys(keyring);
    const version = keyVersion([row]);
    await keys.findKnown(db, ZONE, version);
    database.rows = [];
    expect(await keys.findKnown(db, ZONE, 'of no keys')).toBeUndefined();
    expect(await keys.findKnown(db, ZONE, version)).toBeUndefined();
  });
});

describe('keyCreator', () => {
  const NOW = Date.UTC(2030, 0, 31);

  /** Creates a key in a zone that has had keys with these tags. */
  async function create(tags: readonly number[]) {
    const inserted: unknown[][] = [];
    const raw = (statement: string, bindings: unknown[]) => {
      if (statement.startsWith('insert')) inserted.push(bindings);
      const isTags = statement.startsWith('select k.key_tag');
      return Promise.resolve({ rows: isTags ? tags.map((keyTag) => ({ keyTag })) : [] });
    };
    const trx = { raw } as unknown as Database;
    const createKey = keyCreator(keyring, { now: () => NOW });
    await createKey(trx, { zoneId: ZONE, algorithm: 13, state: 'active' });
    return inserted;
  }

  it('creates one key and seals it for its id', async () => {
    const inserted = await create([]);
    expect(inserted).toHaveLength(1);
    const [id, zoneId, algorithm, flags, keyTag, publicKey, sealed, keyId, ...rest] = inserted[0]!;
    const at = new Date(NOW);
    expect({ zoneId, algorithm, flags, rest }).toEqual({
      ...{ zoneId: ZONE, algorithm: 13, flags: CSK_FLAGS },
      rest: ['active', at, at],
    });
    expect(keyTag).toBe(keyTagOf({ flags: 257, algorithm: 13, publicKey: publicKey as Buffer }));
    const row = { ...rowOf(), id: id as string, sealed, secretKeyId: keyId } as Row;
    const { db } = databaseOf([row]);
    const zone = await new PrivateKeys(keyring).find(db, ZONE);
    const jwk = createPublicKey(zone!.keys[0]!.privateKey).export({ format: 'jwk' });
    const point = Buffer.concat([jwk.x, jwk.y].map((each) => Buffer.from(each!, 'base64url')));
    expect(point).toEqual(Buffer.from(publicKey as Uint8Array));
  });

  it('keeps nothing of a new key in memory', async () => {
    const seal = jest.spyOn(keyring, 'seal');
    await create([]);
    const [der] = seal.mock.calls[0]!;
    expect(der).toEqual(Buffer.alloc(der.length));
  });

  it('never uses a tag again that the zone has had', async () => {
    // These are most of the existing tags.
    const tags = Array.from({ length: 2 ** 16 }, (_, tag) => tag).filter((tag) => tag % 4 > 0);
    for (const inserted of [await create(tags), await create(tags), await create(tags)])
      expect(Number(inserted[0]![4]) % 4).toBe(0);
  });
});
