import { useState } from 'react';
import type { ListedDomain } from '../../api/queries.js';
import { useMessages } from '../../messages/language.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { useAction } from '../../ui/use-action.js';
import { MESSAGES } from './messages.js';
import { recordCommands } from './record-commands.js';
import { changedContent, type RecordValues } from './record-text.js';
import styles from './records.module.css';
import type { Conflict } from './use-conflict.js';

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
  // Default: a field that only the other user changed takes their value; all others take ours.
  const [sides, setSides] = useState<Readonly<Record<Field, Side>>>(
    () =>
      Object.fromEntries(
        FIELDS.map((field) => [field, mine[field] === before[field] ? 'theirs' : 'mine']),
      ) as Record<Field, Side>,
  );
  const { run, isBusy, error } = useAction(onSave);
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
              <td>{before[field]}</td>
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
                    {(side === 'theirs' ? theirs : mine)[field] || '–'}
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
