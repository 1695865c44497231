import { useMemo } from 'react';
import { clientOf } from '../../api/client.js';
import type { ListedDomain } from '../../api/queries.js';
import { useMessages } from '../../state/language.js';
import { showToast } from '../../ui/toasts.js';
import { type Change, toOperation } from './batch-review.js';
import { MESSAGES } from './messages.js';
import { changedContent, describeRecord, type RecordValues } from './record-text.js';
import type { Collected } from './use-collected.js';
import type { ConflictState } from './conflict-dialog.js';
import type { ListedRecord } from './use-records.js';
import type { Writer } from './use-writer.js';

interface Ways {
  readonly writer: Writer;
  readonly conflict: ConflictState;
  readonly collected: Collected;
}

interface RecordChanges {
  /** Adds a record and all changes that it requires, with one serial. */
  readonly add: (changes: readonly Change[]) => Promise<void>;
  readonly save: (record: ListedRecord, draft: RecordValues) => Promise<void>;
  readonly remove: (record: ListedRecord) => Promise<void>;
  /** Disables an enabled record, and enables a disabled one. */
  readonly toggle: (record: ListedRecord) => Promise<void>;
}

/** Returns functions that change single records, at once or collected for later. */
export function useRecordChanges(
  projectId: string,
  domain: ListedDomain,
  { writer, conflict, collected }: Ways,
): RecordChanges {
  const t = useMessages(MESSAGES);
  return useMemo(() => {
    const collect = async (change: Change) => {
      const about = change.after ?? change.before;
      collected.add([change]);
      if (about !== undefined) showToast({ text: t.kept(describeRecord(about, domain.name)) });
      await Promise.resolve();
    };
    return {
      add: async (changes) => {
        const [only] = changes.map(({ after }) => after);
        const isOne = changes.length === 1 && only !== undefined;
        const text = isOne ? describeRecord(only, domain.name) : t.several(changes.length);
        if (collected.isOn) {
          collected.add(changes);
          showToast({ text: t.kept(text) });
          return;
        }
        await writer.write(isOne ? t.added(text) : t.collectedDone(changes.length), () =>
          // The form has already asked for the confirmation of deletions.
          clientOf(projectId)
            .records(domain.id)
            .change(changes.map(toOperation), { confirm: true }),
        );
      },
      save: async (record, draft) => {
        if (collected.isOn) {
          await collect({ before: record, after: changedContent(record, draft, domain) });
        } else await conflict.save(record, draft);
      },
      remove: async (record) => {
        if (collected.isOn) {
          await collect({ before: record, after: undefined });
          return;
        }
        const { id, version } = record;
        const operations = [{ action: 'delete' as const, id, if_version: version }];
        // A change of a single record can be undone, so a question would only teach users to confirm everything.
        await writer.write(t.deletedOne(describeRecord(record, domain.name)), () =>
          clientOf(projectId).records(domain.id).change(operations, { confirm: true }),
        );
      },
      toggle: async (record) => {
        const after = { ...record, disabled: record.disabled !== true };
        if (collected.isOn) {
          await collect({ before: record, after });
          return;
        }
        const what = describeRecord(record, domain.name);
        await writer.write(after.disabled ? t.switchedOff(what) : t.switchedOn(what), () =>
          clientOf(projectId)
            .records(domain.id)
            .change([toOperation({ before: record, after })], { confirm: true }),
        );
      },
    };
  }, [projectId, domain, writer, conflict, collected, t]);
}
