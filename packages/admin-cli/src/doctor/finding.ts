import type { Database } from '@zonewright/database';
import type { Clock } from '@zonewright/service-kit';
import type { AdminSettings } from '../settings/settings.js';

export const LEVELS = ['ok', 'warning', 'error'] as const;

export type Level = (typeof LEVELS)[number];

/** Result of one check. */
export interface Finding {
  readonly area: string;
  readonly level: Level;
  /** A sentence that describes the state, without secrets. */
  readonly finding: string;
  /** Advice for the operator; null if nothing needs to be done. */
  readonly advice: string | null;
}

export const ok = (area: string, finding: string): Finding => ({
  area,
  level: 'ok',
  finding,
  advice: null,
});

export const warning = (area: string, finding: string, advice: string): Finding => ({
  area,
  level: 'warning',
  finding,
  advice,
});

export const error = (area: string, finding: string, advice: string): Finding => ({
  area,
  level: 'error',
  finding,
  advice,
});

/** Returns the worst level among the findings. */
export function worstLevel(findings: readonly Finding[]): Level {
  return LEVELS[Math.max(0, ...findings.map(({ level }) => LEVELS.indexOf(level)))] ?? 'ok';
}

/** Context of the checks. */
export interface Examination {
  readonly settings: AdminSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly db: Database;
  readonly clock: Clock;
}

export type Check = (examination: Examination) => Promise<readonly Finding[]>;
