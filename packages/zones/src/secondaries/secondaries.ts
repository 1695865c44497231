import { type Database, type Keyring, secretIdentity } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { requireMayChangeZone } from '../rows/key-rules.js';
import { announceChild, announceChildren } from '../domains/announce-child.js';
import { createZone } from '../domains/zones.js';
import { getZone, getZoneForChange } from '../rows/get-zone.js';
import { findNameserverDomain } from '../rows/nameserver-domain.js';
import type { InputMembers } from '../request/rules.js';
import type { LockedZone, Zone } from '../rows/zone.js';
import { findSigning } from '../signing/signing-store.js';
import { listUnableNameservers } from '../signing/dnssec-store.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { type PrimariesInput, readPrimaries } from './read-primaries.js';
import type { Secondary } from './secondary.js';
import {
  deleteSecondary,
  findSealedKey,
  findSecondary,
  hastenSecondary,
  putSecondary,
} from './secondary-store.js';
import { setApexOf } from '../write/commit/zone-rows.js';
import { changeReplaced } from './transferred-store.js';
import { countRecordsOf } from './transferred-store.js';
import { deleteRecordsOfPrimary, listRecordsOfPrimary } from '../write/commit/incoming-store.js';

/** Rules of the service for the secondary zones of all tenants. */
interface SecondaryRules {
  /** Undefined if this service cannot store secrets. */
  readonly keyring: Keyring | undefined;
  readonly mayBePrivate: boolean;
}

/** @throws ServiceError `not-found` if the zone has no primaries */
export async function getSecondary(db: Database, zone: Pick<Zone, 'id'>): Promise<Secondary> {
  const secondary = await findSecondary(db, zone.id);
  if (secondary === undefined) {
    throw new ServiceError(
      'not-found',
      'The domain has no primaries: its records are managed here.',
      {
        details: { subject: 'zone' },
      },
    );
  }
  return secondary;
}

/** Primaries of a zone, and its serial. */
interface SetPrimaries {
  readonly secondary: Secondary;
  readonly serial: number;
}

/**
 * Makes a zone without records a secondary zone, or replaces its primaries. The whole zone is then transferred from
 * them.
 *
 * @throws ServiceError `not-found`, `invalid`, `conflict`, or `forbidden`
 */
export async function setPrimaries(
  work: UnitOfWork,
  rules: SecondaryRules,
  zoneId: string,
  draft: InputMembers,
): Promise<SetPrimaries> {
  requireMayChangeZone(work.caller);
  const zone = await getZoneForChange(work.trx, work.caller, zoneId);
  await requireMayBeSecondary(work, zone);
  const stored = await findSecondary(work.trx, zone.id);
  const input = readPrimaries(draft, stored, rules.mayBePrivate);
  const serial = await putPrimaries(work, rules, zone, input);
  return { secondary: await getSecondary(work.trx, zone), serial };
}

/** Changes the addresses of primaries. The key is kept. @throws ServiceError as setPrimaries does */
export async function moveToPrimaries(
  work: UnitOfWork,
  rules: SecondaryRules,
  zoneId: string,
  masters: unknown,
): Promise<void> {
  const zone = await getZoneForChange(work.trx, work.caller, zoneId);
  const { key } = await getSecondary(work.trx, zone);
  await setPrimaries(work, rules, zoneId, { values: { masters, key }, problems: [] });
}

/** Creates a secondary zone without a key. @throws ServiceError as createZone and setPrimaries do */
export async function createSecondaryZone(
  work: UnitOfWork,
  secondaryRules: SecondaryRules,
  content: Parameters<typeof createZone>[1],
  masters: unknown,
): Promise<Zone> {
  // A secondary zone is signed by its primaries or not at all.
  const rules = { ...work.rules, signsNewZones: false };
  const { id } = await createZone({ ...work, rules }, content, { hasPrimaries: true });
  await setPrimaries(work, secondaryRules, id, { values: { masters }, problems: [] });
  return await getZone(work.trx, work.caller, id);
}

/** Sets the primaries of a zone that is locked by this transaction. @returns its serial */
async function putPrimaries(
  work: UnitOfWork,
  { keyring }: SecondaryRules,
  zone: LockedZone,
  { primaries, key, secret }: PrimariesInput,
): Promise<number> {
  if (secret !== undefined && keyring === undefined) {
    throw new ServiceError(
      'forbidden',
      'This service cannot store TSIG keys; the operator must set TRANSFER_ENCRYPTION_KEYS.',
    );
  }
  const kept = key === null ? undefined : await findSealedKey(work.trx, zone.id);
  const sealed =
    secret === undefined ? kept : keyring?.seal(secret, secretIdentity.primaryKey(zone.id));
  await putSecondary(work.trx, zone.id, { primaries, key }, sealed);
  if (zone.secondary !== undefined) return zone.serial;
  await setApexOf(work.trx, zone.id, 'withheld');
  return (await changeReplaced(work, zone, 'apex')).serial;
}

/** Maximum number of deletions that each get an entry in the journal. */
const MAX_JOURNALED = 10_000;

/**
 * Ends the transfers of a zone. Its records stay, without those that only a primary writes: SOA, NS at the apex, and
 * DNSSEC. The zone is no longer signed, so its DS records in a parent zone of this service are deleted, too. The same
 * applies to DS records of child zones whose records are in this service.
 *
 * @returns the zone's serial
 * @throws ServiceError `not-found`
 */
export async function removePrimaries(work: UnitOfWork, zoneId: string): Promise<number> {
  const { trx } = work;
  requireMayChangeZone(work.caller);
  const zone = await getZoneForChange(trx, work.caller, zoneId);
  await getSecondary(trx, zone);
  await deleteSecondary(trx, zone.id);
  await setApexOf(trx, zone.id, undefined);
  await announceChild(work, zone);
  const gone = await listRecordsOfPrimary(trx, zone, MAX_JOURNALED + 1);
  const isJournaled = gone.length <= MAX_JOURNALED;
  if (!isJournaled) await deleteRecordsOfPrimary(trx, zone);
  const { serial } = isJournaled
    ? await changeReplaced(work, zone, 'apex', { gone })
    : await changeReplaced(work, zone, 'records', {
        recordCount: await countRecordsOf(trx, zone.id),
      });
  return (await announceChildren(work, zone))?.serial ?? serial;
}

/**
 * Queries the primaries now, instead of at the time in the SOA. If a transfer is in progress, they are queried again
 * after it. Does not wait for the transfer.
 *
 * @throws ServiceError `not-found`
 */
export async function refreshSecondary(work: UnitOfWork, zoneId: string): Promise<void> {
  requireMayChangeZone(work.caller);
  const zone = await getZone(work.trx, work.caller, zoneId);
  await getSecondary(work.trx, zone);
  await hastenSecondary(work.trx, zone.id);
}

async function requireMayBeSecondary(
  { trx }: UnitOfWork,
  { id, name, recordCount, disabledCount, secondary }: LockedZone,
): Promise<void> {
  if ((await findNameserverDomain(trx))?.name === name) {
    throw new ServiceError('forbidden', 'The domain of the nameservers cannot have primaries.');
  }
  if ((await findSigning(trx, id)) !== undefined)
    throw conflict('The domain is signed here; stop signing it first.');
  if (secondary !== undefined) return;
  const unable = await listUnableNameservers(trx, 'secondary');
  if (unable.length > 0) {
    throw conflict(
      `Domains cannot get primaries while nameservers of an earlier version are running: ${unable.join(', ')}.`,
    );
  }
  const count = recordCount + disabledCount;
  if (count === 0) return;
  throw conflict(
    `The domain has ${count} records; delete them first, since all records of a secondary domain come from its primaries.`,
  );
}

function conflict(message: string): ServiceError {
  return new ServiceError('conflict', message, { details: { subject: 'zone', problems: [] } });
}
