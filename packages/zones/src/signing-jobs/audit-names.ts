import { type Database, queryRow } from '@zonewright/database';
import { nameToWire } from '@zonewright/dns-records';
import type { CanonicalKey } from '@zonewright/dns-records/dnssec';
import { isServedSigned } from '../rows/signing-state.js';
import { listOwnerNames } from '../signing/owner-name-store.js';
import { listKeysAfter } from '../signing/signed-name-store.js';
import { findSigning, findZoneToSign } from '../signing/signing-store.js';
import { keyOfName, nameOfRow, type ZoneBeingSigned } from '../signing/zone-being-signed.js';
import { findFault, findUnsigned } from './find-fault.js';

/**
 * Position of an audit in a zone. The names in the chain come first, in order, then the names with records of users.
 * Each of the latter must be in the chain or below a zone cut.
 */
export type AuditPosition =
  | { readonly walk: 'chain'; readonly after: CanonicalKey | undefined }
  | { readonly walk: 'owners'; readonly after: string | null };

export const AUDIT_BEGIN: AuditPosition = { walk: 'chain', after: undefined };

interface AuditedNames {
  /** The problem in one sentence. Undefined if there is none. */
  readonly problem: string | undefined;
  /** Undefined at the end of the zone. */
  readonly next: AuditPosition | undefined;
}

/**
 * Compares the stored data of some names of a signed zone with what would be signed now, and verifies the signatures.
 * It reads one snapshot of the database without a lock, so later changes of the zone are not seen.
 */
export async function auditNames(
  db: Database,
  { zoneId, place, now, limit }: { zoneId: string; place: AuditPosition; now: Date; limit: number },
): Promise<AuditedNames> {
  return await db.transaction(
    async (trx) => {
      const zone = await findZoneToSign(trx, zoneId);
      const signing = zone && (await findSigning(trx, zoneId));
      if (zone === undefined || signing === undefined || !isServedSigned(signing.state)) {
        return { problem: undefined, next: undefined };
      }
      // Names that the signer has not reached yet still have earlier signatures.
      if (signing.resignAfter !== null) return { problem: undefined, next: place };
      const being = { zone, state: signing.state, apexName: nameToWire(zone.name) };
      const names = await listNames(trx, being, place, limit);
      const problem =
        place.walk === 'chain'
          ? await findFault(trx, being, { names, now })
          : await findUnsigned(trx, being, names);
      return { problem, next: nextPlace(being, place, { names, limit }) };
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

async function listNames(
  trx: Database,
  being: Pick<ZoneBeingSigned, 'zone' | 'apexName'>,
  place: AuditPosition,
  limit: number,
): Promise<string[]> {
  const { id } = being.zone;
  if (place.walk === 'owners') return await listOwnerNames(trx, id, place.after, limit);
  const keys = await listKeysAfter(trx, id, place.after, limit);
  return keys.map((key) => nameOfRow(being, key));
}

function nextPlace(
  being: Pick<ZoneBeingSigned, 'apexName'>,
  { walk }: AuditPosition,
  { names, limit }: { readonly names: readonly string[]; readonly limit: number },
): AuditPosition | undefined {
  const last = names.length < limit ? undefined : names.at(-1);
  if (walk === 'owners') return last === undefined ? undefined : { walk, after: last };
  if (last === undefined) return { walk: 'owners', after: null };
  return { walk, after: keyOfName(being, last) };
}

/** Returns the existing signed zone whose audit is oldest, if that was before a time. */
export async function findZoneToAudit(db: Database, before: Date): Promise<string | undefined> {
  const row = await queryRow<{ id: string }>(
    db,
    `select z.domain_id as id from dns.zone_dnssec as z join dns.domains as d on d.id = z.domain_id
      where z.state <> 'signing' and z.resign_after is null and d.deleted_at is null and coalesce(z.audited_at < ?, true)
      order by z.audited_at nulls first limit 1`,
    [before],
  );
  return row?.id;
}

/** Stores the result of an audit. `problem` is null if none was found. */
export async function writeAudit(
  db: Database,
  zoneId: string,
  { at, problem }: { readonly at: Date; readonly problem: string | null },
): Promise<void> {
  await db.raw(
    'update dns.zone_dnssec as z set audited_at = ?, audit_problem = ? where z.domain_id = ?',
    [at, problem, zoneId],
  );
}

/** Counts existing zones in which the audit found a problem, and returns one of the problems as an example. */
export async function findBrokenZones(
  db: Database,
): Promise<{ readonly count: number; readonly example: string | null }> {
  const row = await queryRow<{ count: number; example: string | null }>(
    db,
    `select count(*) as count, min(d.name || ' (' || z.audit_problem || ')') as example
       from dns.zone_dnssec as z join dns.domains as d on d.id = z.domain_id and d.deleted_at is null
      where z.audit_problem is not null`,
  );
  return row ?? { count: 0, example: null };
}
