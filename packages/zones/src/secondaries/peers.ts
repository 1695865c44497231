import { randomBytes, randomUUID } from 'node:crypto';
import { type Database, type Keyring, lockName, secretIdentity } from '@zonewright/database';
import { invalidRequest, isUuid, ServiceError } from '@zonewright/service-kit';
import type { InputMembers } from '../request/rules.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import type { Peer } from './peer.js';
import {
  countPeers,
  deletePeer,
  findPeer,
  insertPeer,
  replaceZonesOfPeer,
  updatePeer,
} from './peer-store.js';
import { readPeer } from './read-peer.js';

/** Rules for the peers of all tenants. */
interface PeerRules {
  /** Undefined if this service cannot store secrets. */
  readonly keyring: Keyring | undefined;
  readonly maxPeers: number;
  readonly mayBePrivate: boolean;
}

/** Length of a secret: the output length of the most common hash (RFC 8945 s8). */
const SECRET_OCTETS = 32;

/** @throws ServiceError `not-found` */
export async function getPeer(db: Database, tenantId: string, id: string): Promise<Peer> {
  const peer = isUuid(id) ? await findPeer(db, tenantId, id) : undefined;
  if (peer === undefined) throw notFound();
  return peer;
}

/**
 * @returns the peer, and the secret of its key in base64 @throws ServiceError `invalid`, `over-quota`, or `forbidden`
 * without a keyring
 */
export async function createPeer(
  { trx, caller: { tenantId } }: UnitOfWork,
  { keyring, maxPeers, mayBePrivate }: PeerRules,
  draft: InputMembers,
): Promise<{ readonly peer: Peer; readonly secret: string }> {
  const input = readPeer(draft, undefined, mayBePrivate);
  if (keyring === undefined) {
    throw new ServiceError(
      'forbidden',
      'This service cannot store TSIG keys; the operator must set TRANSFER_ENCRYPTION_KEYS.',
    );
  }
  // The lock prevents two requests from both adding the last peer.
  await lockName(trx, 'peers', tenantId);
  if ((await countPeers(trx, tenantId)) >= maxPeers) {
    throw new ServiceError('over-quota', `You can have at most ${maxPeers} peers.`);
  }
  const id = randomUUID();
  const secret = randomBytes(SECRET_OCTETS);
  const keyName = `peer-${id}.`;
  const sealed = keyring.seal(secret, secretIdentity.peerKey(id));
  await insertPeer(trx, { ...input, id, tenantId, keyName }, sealed);
  await putZones(trx, id, tenantId, input.zoneIds);
  return { peer: await getPeer(trx, tenantId, id), secret: secret.toString('base64') };
}

/** Changes the given members. @throws ServiceError `not-found` or `invalid` */
export async function changePeer(
  { trx, caller: { tenantId } }: UnitOfWork,
  { mayBePrivate }: PeerRules,
  id: string,
  draft: InputMembers,
): Promise<Peer> {
  const input = readPeer(draft, await getPeer(trx, tenantId, id), mayBePrivate);
  await updatePeer(trx, id, input);
  await putZones(trx, id, tenantId, input.zoneIds);
  return await getPeer(trx, tenantId, id);
}

/** @throws ServiceError `not-found` */
export async function removePeer(
  { trx, caller: { tenantId } }: UnitOfWork,
  id: string,
): Promise<void> {
  if (!isUuid(id) || !(await deletePeer(trx, tenantId, id))) throw notFound();
}

async function putZones(
  trx: Database,
  id: string,
  tenantId: string,
  zoneIds: readonly string[] | null,
): Promise<void> {
  const found = await replaceZonesOfPeer(trx, id, tenantId, zoneIds ?? []);
  if (found === (zoneIds?.length ?? 0)) return;
  const message = 'domains must contain ids of your domains only.';
  throw invalidRequest([{ path: 'domains', validator: 'exists', message }]);
}

function notFound(): ServiceError {
  return new ServiceError('not-found', 'There is no peer with this id.', {
    details: { subject: 'peer' },
  });
}
