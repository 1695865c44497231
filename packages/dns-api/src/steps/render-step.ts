import type { ChangeStep, JournalChange } from '@zonewright/zones';

/** null: not known, since an older version wrote the change, or there was none. */
export function renderAuthor({ userName, accessKeyId, source, note }: JournalChange | ChangeStep) {
  return { user_name: userName, access_key_id: accessKeyId, source, note };
}

/** All changes of one serial. */
export function renderStep(step: ChangeStep) {
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
