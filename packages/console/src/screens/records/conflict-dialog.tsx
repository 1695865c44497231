import { ApiError } from '@zonewright/client';
import { useCallback, useState } from 'react';
import { clientOf } from '../../api/client.js';
import type { ListedDomain } from '../../api/queries.js';
import { useMessages } from '../../state/language.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { useAction } from '../../ui/use-action.js';
import { recordCommands } from './batch-review.js';
import { MESSAGES } from './messages.js';
import { changedContent, describeRecord, type RecordValues, toValues } from './record-text.js';
import type { ListedRecord } from './use-records.js';
import type { Writer } from './use-writer.js';
import styles from './records.module.css';

interface ConflictDialogProps {
  readonly domain: ListedDomain;
  readonly conflict: Conflict;
  readonly onSave: (draft: RecordValues) => Promise<void>;
  readonly onClose: () => void;
}

const FIELDS = [
  'name',
  'data',
  'priority',
  'ttl',
  'description',
  'tags',
  'expires',
  'disabled',
] as const;

type Field = (typeof FIELDS)[number];

type Side = 'theirs' | 'mine';

export function ConflictDialog({ domain, conflict, onSave, onClose }: ConflictDialogProps) {
  const t = useMessages(MESSAGES);
  const { before, theirs, mine, record } = conflict;
  // By default, a field that only the other user changed gets the other user's value. All others get the value of this
  // user.
  const [sides, setSides] = useState<Readonly<Record<Field, Side>>>(
    () =>
      Object.fromEntries(
        FIELDS.map((field) => [field, mine[field] === before[field] ? 'theirs' : 'mine']),
      ) as Record<Field, Side>,
  );
  const { run, isBusy, error } = useAction(onSave);
  const show = (values: RecordValues, field: Field) =>
    field === 'disabled' ? t.isOff[values.disabled || 'no'] : values[field] || '–';
  const differing = FIELDS.filter((field) => theirs[field] !== mine[field]);
  const chosen: RecordValues = {
    ...mine,
    ...Object.fromEntries(
      FIELDS.map((field) => [field, (sides[field] === 'theirs' ? theirs : mine)[field]]),
    ),
  };
  return (
    <FormDialog
      title={t.conflictTitle}
      width="wide"
      submit={t.saveChoice}
      action={{ run: () => run(chosen), isBusy, error }}
      commands={recordCommands(domain, [
        { before: record, after: changedContent(record, chosen, domain) },
      ])}
      onClose={onClose}
    >
      <p>{t.conflictText}</p>
      <table className={styles['conflict']}>
        <thead>
          <tr>
            <td />
            <th scope="col">{t.before}</th>
            <th scope="col">{t.theirs}</th>
            <th scope="col">{t.mine}</th>
          </tr>
        </thead>
        <tbody>
          {differing.map((field) => (
            <tr key={field}>
              <th scope="row">{t[field]}</th>
              <td>{show(before, field)}</td>
              {(['theirs', 'mine'] as const).map((side) => (
                <td key={side}>
                  <label>
                    <input
                      type="radio"
                      name={field}
                      checked={sides[field] === side}
                      aria-label={`${t[field]}: ${t[side]}`}
                      onChange={() => {
                        setSides({ ...sides, [field]: side });
                      }}
                    />{' '}
                    {show(side === 'theirs' ? theirs : mine, field)}
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </FormDialog>
  );
}

/** A record as it was when the user opened it, as changed by another user, and as edited here. */
interface Conflict {
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

/** Saves a record if it has not changed since it was shown. Otherwise the user chooses between the two versions. */
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
      // A batch has an Idempotency-Key, so a lost response does not cause a conflict with the user's own change.
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
        // A single record has its version in its ETag.
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
