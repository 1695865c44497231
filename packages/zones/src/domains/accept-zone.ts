import { type Database, lockName, queryReturning, queryRow, queryRows } from '@zonewright/database';
import { ancestorsOf } from '@zonewright/dns-records';
import { registrableDomain } from '@zonewright/dns-records/zone-names';
import { isUuid, ServiceError } from '@zonewright/service-kit';
import { limitsOf, type ZoneLimits } from '../checks/quota.js';
import type { AnyViewer } from '../request/caller.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { toZoneImage } from '../rows/images.js';
import {
  type ListedPage,
  type Listing,
  type ListOrder,
  listPage,
  valueCondition,
} from '../rows/listing.js';
import { countRecordsets, sumDataOctets } from '../rows/record-store.js';
import { deleteSharesOf } from '../rows/share-store.js';
import { asTimestamp } from '../rows/statements.js';
import {
  deleteTransferRequestsOf,
  eraseTransferKey,
  findKeyDigest,
  findTransfer,
  lockTransferRequest,
  type TransferAccept,
  type ZoneTransfer,
} from '../rows/transfer-store.js';
import { countZones, findZoneForChange, isBelow, listZonesNamed } from '../rows/zone-store.js';
import type { LockedZone, Zone } from '../rows/zone.js';
import { commitZone } from '../write/commit/zone-step.js';
import { requireOutsideNameserverDomain } from './claim-name.js';
import { isTransferKey, noLongerOffered, transferNotFound } from './offer-zone.js';
import { getLimits } from './quotas.js';

/** Accepted transfer, and the zone afterwards. */
interface Accepted {
  readonly accept: TransferAccept;
  readonly zone: Zone;
}

/**
 * Accepts a zone transfer, including the zones below it. Each zone gets one changeset. It uses the same locks as the
 * creation of a zone.
 *
 * @throws ServiceError `not-found`, `forbidden` (the key is wrong, or the zone cannot belong to the tenant), `invalid`
 * (no longer
 *   requested) or `over-quota`
 */
export async function acceptZone(
  work: UnitOfWork,
  { transferId, key }: { readonly transferId: string; readonly key: string },
): Promise<Accepted> {
  const { trx, caller } = work;
  const offer = await findOffer(trx, caller.tenantId, transferId);
  await requireKey(trx, offer, key);
  if (offer.tenantId === caller.tenantId) return await acceptOwnZone(work, offer);
  await lockName(trx, 'registrableDomain', registrableDomain(offer.zoneName));
  for (const tenantId of [caller.tenantId, offer.tenantId].sort()) {
    await lockName(trx, 'tenant', tenantId);
  }
  const zones = await lockFamily(trx, offer);
  // This check comes last: while this transaction waited for the locks, another tenant may have accepted the
  // transfer.
  if (!(await lockTransferRequest(trx, offer.id))) throw noLongerOffered();
  const offered = zones.find(({ id }) => id === offer.zoneId);
  if (offered === undefined) throw transferNotFound();
  await requirePlace(work, offered);
  await requireQuota(work, zones);
  const ids = zones.map(({ id }) => id);
  await deleteSharesOf(trx, ids);
  await deleteTransferRequestsOf(
    trx,
    ids.filter((id) => id !== offered.id),
  );
  for (const zone of zones) if (zone.id !== offered.id) await moveZone(work, zone);
  const zone = await moveZone(work, offered);
  await eraseTransferKey(trx, offer.id);
  return { accept: await completeTransfer(trx, offer.id, caller.tenantId), zone };
}

/**
 * Completes a transfer to the tenant that already owns the zone, as in Designate. Only the request changes. @throws
 * ServiceError as acceptZone does
 */
async function acceptOwnZone({ trx, caller }: UnitOfWork, offer: ZoneTransfer): Promise<Accepted> {
  const zone = await findZoneForChange(trx, { tenantId: caller.tenantId }, offer.zoneId);
  if (!(await lockTransferRequest(trx, offer.id))) throw noLongerOffered();
  if (zone === undefined) throw transferNotFound();
  await eraseTransferKey(trx, offer.id);
  return { accept: await completeTransfer(trx, offer.id, caller.tenantId), zone };
}

/** @throws ServiceError `not-found` */
export async function getAccept(
  db: Database,
  tenantId: string,
  id: string,
): Promise<TransferAccept> {
  const accept = isUuid(id) ? await findAccept(db, tenantId, id) : undefined;
  if (accept !== undefined) return accept;
  throw new ServiceError('not-found', 'There is no accepted transfer with this id.', {
    details: { subject: 'accept' },
  });
}

async function findOffer(trx: Database, tenantId: string, id: string): Promise<ZoneTransfer> {
  const offer = isUuid(id) ? await findTransfer(trx, id) : undefined;
  if (offer === undefined) throw transferNotFound();
  if (offer.targetTenantId === null || offer.targetTenantId === tenantId) return offer;
  throw transferNotFound();
}

async function requireKey(trx: Database, { id }: ZoneTransfer, key: string): Promise<void> {
  const digest = await findKeyDigest(trx, id);
  if (digest === undefined) throw transferNotFound();
  if (isTransferKey(key, digest)) return;
  throw new ServiceError('forbidden', 'The key does not match the transfer request.', {
    details: { subject: 'transfer-key' },
  });
}

/** Locks the zones of the transfer by id. Nobody can create another one below them while the name is locked. */
async function lockFamily(trx: Database, offer: ZoneTransfer): Promise<LockedZone[]> {
  const zones: LockedZone[] = [];
  for (const id of await listFamily(trx, offer)) {
    const zone = await findZoneForChange(trx, { tenantId: offer.tenantId }, id);
    if (zone !== undefined) zones.push(zone);
  }
  return zones;
}

async function requirePlace({ trx, caller }: UnitOfWork, zone: Zone): Promise<void> {
  await requireOutsideNameserverDomain(trx, zone.name);
  const above = await listZonesNamed(trx, ancestorsOf(zone.name));
  const parent = above.find(({ tenantId }) => tenantId !== caller.tenantId);
  if (parent === undefined) return;
  throw new ServiceError(
    'forbidden',
    `The zone is inside ${JSON.stringify(parent.name)} and can only be transferred together with it; transfer that zone instead.`,
  );
}

async function requireQuota(
  { trx, caller, rules }: UnitOfWork,
  zones: readonly LockedZone[],
): Promise<void> {
  const limits = await getLimits(trx, caller.tenantId, rules);
  const count = (await countZones(trx, caller.tenantId)) + zones.length;
  if (count > limits.maxDomains) {
    throw new ServiceError(
      'over-quota',
      `With the ${zones.length} domains of this transfer you would have ${count}; your limit is ${limits.maxDomains}.`,
    );
  }
  const most = limitsOf(
    {
      maxRecords: limits.maxDomainRecords,
      maxRecordsets: limits.maxDomainRecordsets,
      maxRrsetRecords: limits.maxRecordsetRecords,
    },
    rules,
  );
  for (const zone of zones) await requireFits(trx, zone, most);
}

/**
 * Requires that the zone fits into the tenant's limits. Disabled records count, too. @throws ServiceError `over-quota`
 */
async function requireFits(trx: Database, zone: LockedZone, most: ZoneLimits): Promise<void> {
  const records = zone.recordCount + zone.disabledCount;
  const dataOctets = await sumDataOctets(trx, zone.id);
  const { before: recordsets } =
    records > most.recordsets ? await countRecordsets(trx, zone.id, []) : { before: 0 };
  const what =
    records > most.records
      ? `has ${records} records; your limit is ${most.records}.`
      : recordsets > most.recordsets
        ? `has ${recordsets} recordsets; your limit is ${most.recordsets}.`
        : dataOctets > most.dataOctets
          ? `has ${dataOctets} bytes of data; your limit is ${most.dataOctets}.`
          : undefined;
  if (what === undefined) return;
  throw new ServiceError('over-quota', `The domain ${JSON.stringify(zone.name)} ${what}`);
}

async function moveZone(work: UnitOfWork, zone: LockedZone): Promise<Zone> {
  const { tenantId } = work.caller;
  const moved = { ...zone, tenantId, version: zone.version + 1, updatedAt: zone.now };
  const entries = [
    { action: 'domain-update', before: toZoneImage(zone), after: toZoneImage(moved) } as const,
  ];
  return await commitZone(work, zone, moved, { entries, touched: () => new Map() });
}

const COLUMNS = `l.accept_id as id, l.id as "transferId", l.domain_id as "zoneId", l.accepted_by as "tenantId",
  ${asTimestamp('l.accepted_at')} as "createdAt"`;

export type AcceptSortKey = 'created_at' | 'id';

const LISTING: Listing<AcceptSortKey> = {
  columns: COLUMNS,
  from: 'dns.zone_transfers as l',
  id: 'l.accept_id',
  sortColumns: { created_at: 'l.accepted_at', id: 'l.accept_id' },
};

/** Lists accepted transfers of a tenant, or of all tenants. Returns undefined if the marker is not in the list. */
export async function listAccepts(
  db: Database,
  { tenantId }: Pick<AnyViewer, 'tenantId'>,
  order: ListOrder<AcceptSortKey>,
): Promise<ListedPage<TransferAccept> | undefined> {
  const condition =
    tenantId === undefined
      ? { sql: 'l.accepted_by is not null', values: {} }
      : valueCondition('l.accepted_by', 'tenantId', tenantId);
  return await listPage(db, LISTING, condition, order);
}

async function findAccept(
  db: Database,
  tenantId: string,
  id: string,
): Promise<TransferAccept | undefined> {
  return await queryRow(
    db,
    `select ${COLUMNS} from dns.zone_transfers as l where l.accept_id = ? and l.accepted_by = ?`,
    [id, tenantId],
  );
}

/** Records which tenant has accepted the transfer. */
async function completeTransfer(
  trx: Database,
  id: string,
  tenantId: string,
): Promise<TransferAccept> {
  return await queryReturning(
    trx,
    `update dns.zone_transfers as l
        set status = 'COMPLETE', accept_id = gen_random_uuid(), accepted_by = ?, accepted_at = clock_timestamp(),
            updated_at = clock_timestamp()
      where l.id = ? returning ${COLUMNS}`,
    [tenantId, id],
  );
}

/** Returns the ids of a tenant's zone and of its zones below that one, in locking order. */
async function listFamily(
  trx: Database,
  { zoneId, zoneName, tenantId }: Pick<ZoneTransfer, 'zoneId' | 'zoneName' | 'tenantId'>,
): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    trx,
    `select d.id from dns.domains as d
      where d.tenant_id = ? and d.deleted_at is null
        and (d.id = ? or ${isBelow('?')})
      order by d.id`,
    [tenantId, zoneId, zoneName, zoneName],
  );
  return rows.map(({ id }) => id);
}
