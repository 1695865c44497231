import { describe, expect, it } from '@jest/globals';
import type { Database } from '@zonewright/database';
import { createLogger } from '@zonewright/service-kit';
import { AUDIT_BEGIN, type AuditPosition } from '@zonewright/zones';
import { ZoneAudit } from './zone-audit.js';

const NOW = Date.UTC(2030, 0, 31);
const DAY_MS = 86_400_000;
const NEXT: AuditPosition = { walk: 'owners', after: null };

interface Audited {
  readonly problem: string | undefined;
  readonly next: AuditPosition | undefined;
}

/** Returns an audit of these zones. Each audited zone has the next of these states, or fails. */
function auditOf(zones: readonly string[], found: readonly (Audited | Error)[]) {
  const seen = { before: [] as unknown[], written: [] as unknown[][], outcomes: [] as string[] };
  const left = { zones: [...zones], found: [...found] };
  const raw = (statement: string, bindings: unknown[]) => {
    if (statement.startsWith('update')) seen.written.push(bindings);
    else seen.before.push(bindings[0]);
    const id = statement.startsWith('update') ? undefined : left.zones.shift();
    return Promise.resolve({ rows: id === undefined ? [] : [{ id }] });
  };
  const transaction = () => {
    const audited = left.found.shift();
    return audited instanceof Error ? Promise.reject(audited) : Promise.resolve(audited);
  };
  const audit = new ZoneAudit({
    db: { raw, transaction } as unknown as Database,
    clock: { now: () => NOW },
    log: createLogger('test', 'silent'),
    onAudited: (outcome) => {
      seen.outcomes.push(outcome);
    },
  });
  return { audit, seen };
}

const GOOD: Audited = { problem: undefined, next: undefined };

describe('ZoneAudit', () => {
  it('AUDIT_BEGIN is the first name of the chain', () => {
    expect(AUDIT_BEGIN).toEqual({ walk: 'chain', after: undefined });
  });

  it('does nothing if each zone was audited within a day', async () => {
    const { audit, seen } = auditOf([], []);
    expect(await audit.step()).toBe(false);
    expect(seen).toEqual({ before: [new Date(NOW - DAY_MS)], written: [], outcomes: [] });
  });

  it('audits a zone in steps, and records the good result at its end', async () => {
    const { audit, seen } = auditOf(['one', 'other'], [{ ...GOOD, next: NEXT }, GOOD, GOOD]);
    expect([await audit.step(), seen.written.length, seen.before.length]).toEqual([true, 0, 1]);
    expect([await audit.step(), seen.before.length]).toEqual([true, 1]);
    expect(seen.written).toEqual([[new Date(NOW), null, 'one']]);
    expect([await audit.step(), await audit.step()]).toEqual([true, false]);
    expect(seen.written.slice(1)).toEqual([[new Date(NOW), null, 'other']]);
    expect(seen.outcomes).toEqual(['good', 'good']);
  });

  it('records the first problem, and stops', async () => {
    const { audit, seen } = auditOf(['one'], [{ problem: 'a hole in the chain', next: NEXT }]);
    expect([await audit.step(), await audit.step()]).toEqual([true, false]);
    expect(seen.written).toEqual([[new Date(NOW), 'a hole in the chain', 'one']]);
    expect(seen.outcomes).toEqual(['broken']);
  });

  it('starts again after a failed step', async () => {
    const steps = [{ ...GOOD, next: NEXT }, new Error('away'), GOOD];
    const { audit, seen } = auditOf(['one', 'one'], steps);
    await audit.step();
    await expect(audit.step()).rejects.toThrow('away');
    await audit.step();
    expect(seen.before).toHaveLength(2);
    expect(seen.outcomes).toEqual(['good']);
  });
});
