import type { Database } from '@zonewright/database';
import type { Clock } from '@zonewright/service-kit';
import type { AdminSettings } from '../settings/settings.js';
import type { Finding } from './finding.js';

/** Context of the checks. */
export interface Examination {
  readonly settings: AdminSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly db: Database;
  readonly clock: Clock;
}

export type Check = (examination: Examination) => Promise<readonly Finding[]>;
