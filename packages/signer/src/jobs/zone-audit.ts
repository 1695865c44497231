import type { Database } from '@zonewright/database';
import type { Clock, Logger } from '@zonewright/service-kit';
import {
  AUDIT_BEGIN,
  auditNames,
  type AuditPosition,
  findZoneToAudit,
  writeAudit,
} from '@zonewright/zones';

interface ZoneAuditParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called for each zone that was audited. */
  readonly onAudited: (outcome: 'good' | 'broken') => void;
}

/** Interval between audits of a zone, in milliseconds. */
const EVERY_MS = 86_400_000;
/** Number of names in one step: about 40 ms of verification, in slices. */
const NAMES_AT_ONCE = 200;

/**
 * Audits signed zones, a few names at a time. It checks whether the stored NSEC chain and signatures are the ones that
 * would be created now, and whether the signatures are valid.
 */
export class ZoneAudit {
  readonly #parts: ZoneAuditParts;
  #under: { readonly zoneId: string; readonly place: AuditPosition } | undefined;

  constructor(parts: ZoneAuditParts) {
    this.#parts = parts;
  }

  /** Checks the next names. @returns whether there were any */
  async step(): Promise<boolean> {
    const { db, clock, log, onAudited } = this.#parts;
    const now = new Date(clock.now());
    const under = this.#under ?? (await this.#begin(now));
    if (under === undefined) return false;
    this.#under = undefined;
    const { zoneId, place } = under;
    const { problem, next } = await auditNames(db, { zoneId, place, now, limit: NAMES_AT_ONCE });
    if (problem === undefined && next !== undefined) {
      this.#under = { zoneId, place: next };
      return true;
    }
    await writeAudit(db, zoneId, { at: now, problem: problem ?? null });
    onAudited(problem === undefined ? 'good' : 'broken');
    if (problem !== undefined)
      log.error({ zoneId, problem }, 'a signed zone has wrong signatures or records');
    return true;
  }

  async #begin(now: Date) {
    const { db } = this.#parts;
    const zoneId = await findZoneToAudit(db, new Date(now.getTime() - EVERY_MS));
    return zoneId === undefined ? undefined : { zoneId, place: AUDIT_BEGIN };
  }
}
