import type { HistoryStart, JournalChange } from '@zonewright/zones';
import { renderAuthor } from '../steps/render-step.js';

/** A change as the API shows it: who, when, what, and the serial before and after; extended, also by which way and why. */
export function renderChange(change: JournalChange, isExtended: boolean) {
  return {
    id: change.id,
    action: change.action,
    serial_before: change.serialBefore,
    serial_after: change.serialAfter,
    record_id: change.recordId,
    before: renderImage(change.before),
    after: renderImage(change.after),
    user_id: change.userId,
    request_id: change.requestId,
    changed_at: change.changedAt,
    ...(isExtended ? renderAuthor(change) : {}),
  };
}

/** The wire form is for nameservers. */
function renderImage(image: JournalChange['before']): object | null {
  if (image === null) return null;
  return Object.fromEntries(Object.entries(image).filter(([member]) => member !== 'rdata'));
}

/** From which serial on a domain can be looked at and restored. */
export function renderHistoryStart(start: HistoryStart | undefined) {
  return start === undefined ? null : { serial: start.serial, changed_at: start.changedAt };
}
