import { ApiError } from '@zonewright/client';
import { useCallback, useState } from 'react';
import { clientOf } from '../../api/client.js';
import type { ListedDomain } from '../../api/queries.js';
import { useMessages } from '../../messages/language.js';
import { MESSAGES } from './messages.js';
import { changedContent, describeRecord, type RecordValues, toValues } from './record-text.js';
import type { ListedRecord } from './use-records.js';
import type { Writer } from './use-writer.js';

/** One record as it was when somebody began, as others made it, and as it shall be. */
export interface Conflict {
  readonly before: RecordValues;
  readonly theirs: RecordValues;
  readonly mine: RecordValues;
  readonly record: ListedRecord;
}

export interface ConflictState {
  readonly current: Conflict | undefined;
  readonly save: (record: ListedRecord, draft: RecordValues) => Promise<void>;
  readonly resolve: (draft: RecordValues) => Promise<void>;
  readonly clear: () => void;
}

/** Saves a record that must still be what the screen showed; where it is not, both are kept for a person to choose. */
export function useConflict(
  projectId: string,
  domain: ListedDomain,
  writer: Writer,
): ConflictState {
  const t = useMessages(MESSAGES);
  const [current, setCurrent] = useState<Conflict>();
  const save = useCallback(
    async (record: ListedRecord, draft: RecordValues) => {
      const { name, type, ...rest } = changedContent(record, draft, domain);
      const path = { domainId: domain.id, recordId: record.id };
      const { id, version } = record;
      const operation = {
        action: 'update',
        id,
        if_version: version,
        record: { name, ...rest },
      } as const;
      // A batch has an Idempotency-Key, so a lost response does not cause a conflict with our own change.
      const update = () =>
        clientOf(projectId).records(domain.id).change([operation], { confirm: true });
      try {
        await writer.write(
          t.changedOne(describeRecord({ name, type, data: rest.data }, domain.name)),
          update,
        );
        setCurrent(undefined);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 412) throw error;
        const { value, etag = '' } = await clientOf(projectId).call('getRecord', {
          path,
          query: { all_types: true, extended: true },
        });
        // A single record says its version in its tag.
        const theirs = { ...record, ...value, version: Number(etag.replaceAll('"', '')) };
        setCurrent({
          before: toValues(record, domain.name),
          theirs: toValues(theirs, domain.name),
          mine: draft,
          record: theirs,
        });
      }
    },
    [projectId, domain, writer, t],
  );
  const resolve = useCallback(
    async (draft: RecordValues) => {
      if (current !== undefined) await save(current.record, draft);
    },
    [current, save],
  );
  const clear = useCallback(() => {
    setCurrent(undefined);
  }, []);
  return { current, save, resolve, clear };
}
