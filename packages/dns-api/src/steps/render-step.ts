import type { ZoneChanges, JournalChange } from '@zonewright/zones';

/** null: not known, since an older version wrote the change, or there was none. */
export function renderAuthor({ userName, accessKeyId, source, note }: JournalChange | ZoneChanges) {
  return { user_name: userName, access_key_id: accessKeyId, source, note };
}

/** All changes of one serial. */
export function renderChangeset(step: ZoneChanges) {
  return {
    id: step.id,
    serial_before: step.serialBefore,
    serial_after: step.serialAfter,
    counts: step.counts,
    names: step.names,
    user_id: step.userId,
    ...renderAuthor(step),
    request_id: step.requestId,
    changed_at: step.changedAt,
  };
}
