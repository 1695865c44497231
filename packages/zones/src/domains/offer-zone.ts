import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Database, type Keyring, secretIdentity } from '@zonewright/database';
import { ancestorsOf, checkDescription } from '@zonewright/dns-records';
import { invalidRequest, isUuid, ServiceError } from '@zonewright/service-kit';
import { type AnyViewer, readTenantId } from '../request/caller.js';
import type { InputMembers } from '../request/rules.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { getZoneForChange } from '../rows/get-zone.js';
import {
  deleteTransfer,
  findTransfer,
  findTransferKey,
  insertTransfer,
  lockTransferRequest,
  updateTransfer,
  updateTransferKey,
  type ZoneTransfer,
} from '../rows/transfer-store.js';
import { listZonesNamed } from '../rows/zone-store.js';

/** Transfer request with its key. */
interface NewOffer {
  readonly transfer: ZoneTransfer;
  readonly key: string;
}

/**
 * Requests the transfer of a zone to another tenant. Zones below it are included, so a zone below another one cannot be
 * transferred separately.
 *
 * @param keyring encrypts the stored key; undefined if the key is not stored
 * @throws ServiceError `not-found`, `invalid` or `conflict`
 */
export async function requestTransfer(
  { trx, caller }: UnitOfWork,
  keyring: Keyring | undefined,
  { zoneId, draft }: { readonly zoneId: string; readonly draft: InputMembers },
): Promise<NewOffer> {
  const zone = await getZoneForChange(trx, caller, zoneId);
  const content = readOffer(draft, { targetTenantId: null, description: null });
  const [parent] = await listZonesNamed(trx, ancestorsOf(zone.name));
  if (parent !== undefined) {
    throw new ServiceError(
      'invalid',
      `The zone is inside ${JSON.stringify(parent.name)} and can only be transferred together with it; transfer that zone instead.`,
    );
  }
  const key = generateTransferKey();
  const { tenantId } = caller;
  const keyDigest = digestTransferKey(key);
  const transfer = await insertTransfer(trx, { ...content, zoneId: zone.id, tenantId, keyDigest });
  if (transfer !== undefined) {
    const secret = keyring?.seal(Buffer.from(key), secretIdentity.transferKey(transfer.id));
    if (secret !== undefined) await updateTransferKey(trx, transfer.id, secret);
    return { transfer, key };
  }
  throw new ServiceError(
    'conflict',
    'This zone already has a transfer request; delete it before you create another.',
    { details: { subject: 'transfer' } },
  );
}

/**
 * Returns a transfer request that the tenant has created, or that names the tenant. @throws ServiceError `not-found`
 */
export async function getTransfer(
  db: Database,
  tenantId: string,
  id: string,
): Promise<ZoneTransfer> {
  const transfer = isUuid(id) ? await findTransfer(db, id) : undefined;
  if (transfer === undefined) throw transferNotFound();
  if (transfer.tenantId === tenantId && !transfer.isHidden) return transfer;
  if (transfer.targetTenantId === tenantId) return transfer;
  throw transferNotFound();
}

/** Returns the key of a transfer request to its requester. Undefined if it is not kept, or the request is not open. */
export async function revealTransferKey(
  { db, keyring }: { readonly db: Database; readonly keyring: Keyring | undefined },
  { tenantId }: Pick<AnyViewer, 'tenantId'>,
  transfer: ZoneTransfer,
): Promise<string | undefined> {
  if (keyring === undefined || transfer.tenantId !== tenantId) return undefined;
  const secret = await findTransferKey(db, transfer.id);
  // A key that is encrypted with an unknown key is treated as not stored.
  if (secret === undefined || !keyring.keyIds.includes(secret.keyId)) return undefined;
  return keyring.open(secret, secretIdentity.transferKey(transfer.id)).toString();
}

/** Changes the given members. @throws ServiceError `not-found` or `invalid` */
export async function updateTransferRequest(
  { trx, caller }: UnitOfWork,
  id: string,
  draft: InputMembers,
): Promise<ZoneTransfer> {
  const transfer = await getTransfer(trx, caller.tenantId, id);
  if (transfer.tenantId !== caller.tenantId) throw transferNotFound();
  const content = readOffer(draft, transfer);
  if (!(await lockTransferRequest(trx, id))) throw noLongerOffered();
  return await updateTransfer(trx, { id, ...content });
}

/** @throws ServiceError `not-found` */
export async function deleteTransferRequest(
  { trx, caller }: UnitOfWork,
  id: string,
): Promise<void> {
  const target = { id, tenantId: caller.tenantId };
  if (!isUuid(id) || !(await deleteTransfer(trx, target))) throw transferNotFound();
}

type OfferContent = Pick<ZoneTransfer, 'targetTenantId' | 'description'>;

function readOffer({ values, problems }: InputMembers, stored: OfferContent): OfferContent {
  const { target_project_id: target = stored.targetTenantId } = values;
  const { description = stored.description } = values;
  const all = [...problems, ...checkDescription(description)];
  const targetTenantId = target === null ? null : readTenantId('target_project_id', target, all);
  if (all.length > 0) throw invalidRequest(all);
  return { targetTenantId, description: description as string | null };
}

export function transferNotFound(): ServiceError {
  return new ServiceError('not-found', 'There is no transfer request with this id.', {
    details: { subject: 'transfer' },
  });
}

export function noLongerOffered(): ServiceError {
  return new ServiceError(
    'invalid',
    'The transfer request was already accepted or deleted; it can be used only once.',
    { details: { subject: 'transfer' } },
  );
}

/** Alphabet of Base32 (RFC 4648 s6), since people read keys aloud. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Number of letters. 120 bits cannot be guessed, so the digest needs neither a salt nor a slow hash. */
const KEY_LETTERS = 24;

function generateTransferKey(): string {
  return Array.from(randomBytes(KEY_LETTERS), (octet) => LETTERS.charAt(octet % 32)).join('');
}

function digestTransferKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Compares keys in constant time. */
export function isTransferKey(key: string, digest: Buffer): boolean {
  return timingSafeEqual(digestTransferKey(key), digest);
}
