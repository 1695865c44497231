import { randomUUID } from 'node:crypto';
import {
  type Database,
  errorCode,
  type Keyring,
  secretIdentity,
  SQLSTATE,
} from '@zonewright/database';
import { invalidRequest, isUuid, ServiceError } from '@zonewright/service-kit';
import type { InputMembers } from '../request/rules.js';
import { findOwner } from '../domains/zone-shares.js';
import { readTsigKey, type TsigKeyInput } from './tsig-key.js';
import type { TsigKey } from './tsig-key.js';
import {
  countTsigKeys,
  deleteTsigKey,
  findTsigKey,
  insertTsigKey,
  updateTsigKey,
} from './tsig-key-store.js';

/** Maximum number of keys, since nameservers will load all of them. */
const MAX_TSIG_KEYS = 10_000;

/** Database and keyring for writing keys. */
interface Place {
  readonly trx: Database;
  /** Undefined if this service cannot store secrets. */
  readonly keyring: Keyring | undefined;
  readonly poolId: string;
}

/** @throws ServiceError `not-found` */
export async function getTsigKey(db: Database, id: string): Promise<TsigKey> {
  const key = isUuid(id) ? await findTsigKey(db, id) : undefined;
  if (key === undefined) throw notFound();
  return key;
}

/** @throws ServiceError `invalid`, `conflict`, `over-quota`, or `forbidden` without a keyring */
export async function createTsigKey(place: Place, draft: InputMembers): Promise<TsigKey> {
  const { trx } = place;
  const input = readTsigKey(draft, undefined);
  await requireResource(place, input);
  if ((await countTsigKeys(trx)) >= MAX_TSIG_KEYS) {
    throw new ServiceError(
      'over-quota',
      `There are already ${MAX_TSIG_KEYS} TSIG keys, which is the maximum; delete some first.`,
    );
  }
  const id = randomUUID();
  const secret = seal(place, id, input.secret ?? Buffer.alloc(0));
  return await orTaken(input, () => insertTsigKey(trx, { ...input, id }, secret));
}

/** Changes the given members. @throws ServiceError `not-found`, and as createTsigKey does */
export async function changeTsigKey(
  place: Place,
  id: string,
  draft: InputMembers,
): Promise<TsigKey> {
  const { trx } = place;
  const input = readTsigKey(draft, await getTsigKey(trx, id));
  await requireResource(place, input);
  const secret = input.secret && seal(place, id, input.secret);
  return await orTaken(input, () => updateTsigKey(trx, { ...input, id }, secret));
}

/** @throws ServiceError `not-found` */
export async function removeTsigKey(trx: Database, id: string): Promise<void> {
  if (!isUuid(id) || !(await deleteTsigKey(trx, id))) throw notFound();
}

function seal({ keyring }: Place, id: string, secret: Buffer) {
  if (keyring !== undefined) return keyring.seal(secret, secretIdentity.tsigKey(id));
  throw new ServiceError(
    'forbidden',
    'This service cannot store TSIG keys; the operator must set TRANSFER_ENCRYPTION_KEYS.',
  );
}

async function requireResource(
  { trx, poolId }: Place,
  { scope, resourceId }: TsigKeyInput,
): Promise<void> {
  const isThere =
    scope === 'POOL'
      ? resourceId.toLowerCase() === poolId
      : (await findOwner(trx, { kind: 'zone', id: resourceId })) !== undefined;
  if (isThere) return;
  const message =
    scope === 'POOL'
      ? `resource_id must be the id of the pool, ${poolId}, if the scope is POOL.`
      : 'resource_id must be the id of a zone if the scope is ZONE; no zone has this id.';
  throw invalidRequest([{ path: 'resource_id', validator: 'exists', message }]);
}

async function orTaken<T>({ name }: TsigKeyInput, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (errorCode(error) !== SQLSTATE.uniqueViolation) throw error;
    const message = `A TSIG key named ${JSON.stringify(name)} already exists.`;
    throw new ServiceError('conflict', message, { details: { subject: 'tsigkey' }, cause: error });
  }
}

function notFound(): ServiceError {
  return new ServiceError('not-found', 'There is no TSIG key with this id.', {
    details: { subject: 'tsigkey' },
  });
}
