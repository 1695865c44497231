import type { Problem } from '@zonewright/service-kit';
import type { RecordChange } from '../changes/record-change.js';

/** A rule about records among each other that a change would break. */
export interface Breach {
  readonly change: RecordChange;
  readonly kind: 'invalid' | 'conflict';
  readonly problem: Problem;
}
