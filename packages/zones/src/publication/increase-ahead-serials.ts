import { randomUUID } from 'node:crypto';
import type { Database } from '@zonewright/database';
import type { Clock } from '@zonewright/service-kit';
import { increaseSerials } from '../write/commit/raise-serials.js';
import { applyServiceChange } from '../write/commit/service-step.js';
import { findSigning, lockZoneToSign } from '../signing/signing-store.js';
import type { ZoneSigner } from '../request/unit-of-work.js';
import {
  type AheadZone,
  announceIncreased,
  hasAheadZones,
  listSignedAheadZones,
  lockUnsignedAheadZones,
  serialToExceed,
} from './ahead-zone-store.js';

interface IncreaseContext {
  readonly signer: ZoneSigner;
  readonly clock: Clock;
  /** Called for each signed zone that could not be signed. */
  readonly onFailure: (zoneId: string, error: unknown) => void;
}

/** Number of zones in one transaction. Writers of these zones wait for it. */
const ZONES_PER_BATCH = 2_000;
/** Number of signed zones. They are processed one after the other, since each needs the signer. */
const SIGNED_PER_BATCH = 100;
/** Number of failures after which a round ends, since the signer is probably unavailable. The order of zones is random. */
const MAX_FAILURES = 10;

/**
 * Increases the serials of zones that nameservers answer with a later serial than the database has, after a failover or
 * a restore that lost changes (ADR 0020). Nameservers and secondaries accept the content of the database only after
 * that. Several processes may call it at the same time.
 *
 * @returns the number of zones
 */
export async function increaseAheadSerials(
  db: Database,
  context: IncreaseContext,
): Promise<number> {
  if (!(await hasAheadZones(db))) return 0;
  return (await increaseUnsigned(db, context.clock)) + (await increaseSigned(db, context));
}

async function increaseUnsigned(db: Database, clock: Clock): Promise<number> {
  return await db.transaction(async (trx) => {
    const exceeded = new Map<string, number>();
    for (const zone of await lockUnsignedAheadZones(trx, ZONES_PER_BATCH)) {
      const serial = exceededBy(zone, clock);
      if (serial !== undefined) exceeded.set(zone.id, serial);
    }
    if (exceeded.size === 0) return 0;
    const requestId = `serials-${randomUUID()}`;
    await increaseSerials(trx, [...exceeded.keys()], { requestId, clock, exceeded });
    await announceIncreased(trx);
    return exceeded.size;
  });
}

async function increaseSigned(db: Database, context: IncreaseContext): Promise<number> {
  let increased = 0;
  let failures = 0;
  for (const zone of await listSignedAheadZones(db, SIGNED_PER_BATCH)) {
    if (exceededBy(zone, context.clock) === undefined) continue;
    try {
      const isIncreased = await db.transaction((trx) => increaseOne({ ...context, trx }, zone));
      if (isIncreased) increased += 1;
    } catch (error) {
      context.onFailure(zone.id, error);
      failures += 1;
      if (failures === MAX_FAILURES) break;
    }
  }
  return increased;
}

async function increaseOne(
  context: IncreaseContext & { readonly trx: Database },
  { id, answered }: AheadZone,
): Promise<boolean> {
  const { trx, clock } = context;
  const zone = await lockZoneToSign(trx, id, { skip: true });
  const signing = zone && (await findSigning(trx, id));
  const serial = zone && exceededBy({ ...zone, answered }, clock);
  if (zone === undefined || signing === undefined || serial === undefined) return false;
  await applyServiceChange(
    context,
    { ...zone, serial },
    { state: signing.state, touched: new Map() },
  );
  await announceIncreased(trx);
  return true;
}

function exceededBy({ serial, answered }: Omit<AheadZone, 'id'>, clock: Clock): number | undefined {
  return serialToExceed(serial, answered, clock.now() / 1_000);
}
