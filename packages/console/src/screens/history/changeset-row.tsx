import { useQuery } from '@tanstack/react-query';
import type { Output } from '@zonewright/client';
import { useState } from 'react';
import { clientOf } from '../../api/client.js';
import { keys, type ListedDomain } from '../../api/queries.js';
import { useMessages } from '../../state/language.js';
import { Button } from '../../ui/button.js';
import { ChangeList } from '../../ui/change-list.js';
import { Pill } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { relativeName } from '../records/record-text.js';
import { toDifference, toLine } from './journal-line.js';
import { MESSAGES } from './messages.js';
import type { UndoRequest } from './undo-dialog.js';
import styles from './history.module.css';

interface StepRowProps {
  readonly projectId: string;
  readonly domain: ListedDomain;
  readonly step: Changeset;
  readonly isNewest: boolean;
  readonly onWish: (wish: UndoRequest) => void;
}

const SHOWN_NAMES = 3;

export function ChangesetRow({ projectId, domain, step, isNewest, onWish }: StepRowProps) {
  const t = useMessages(MESSAGES);
  const [isOpen, setIsOpen] = useState(false);
  const {
    counts,
    names,
    note,
    source,
    serial_after: serial,
    user_name: user,
    access_key_id: key,
  } = step;
  // A newer service may send other actions.
  const words: Readonly<Record<string, ((number: number) => string) | undefined>> = t.counts;
  const total = Object.values(counts).reduce((sum, number) => sum + number, 0);
  const relative = names
    .slice(0, SHOWN_NAMES)
    .map((name) => relativeName(name, domain.name))
    .join(', ');
  const isOfRecords = Object.keys(counts).some((action) => action.startsWith('record-'));
  return (
    <li className={styles['step']} id={`serial-${serial}`}>
      <div className={styles['line']}>
        <div className={styles['what']}>
          <strong>
            {Object.entries(counts)
              .map(([action, number]) => words[action]?.(number) ?? action)
              .join(', ')}
          </strong>
          {isOfRecords && names.length > 0 && (
            <span className={styles['names']}>
              {total > names.length || names.length > SHOWN_NAMES
                ? t.andMore(relative, total - Math.min(names.length, SHOWN_NAMES))
                : relative}
            </span>
          )}
          {note !== null && <Note note={note} source={source} />}
        </div>
        <div className={styles['who']}>
          <RelativeTime at={step.changed_at} /> {user !== null && t.by(user)}{' '}
          {key !== null && t.key(key)}
          <span className={styles['pills']}>
            {isTelling(source, total) && <Pill>{t.sources[source]}</Pill>}
            <Pill>{t.serial(serial)}</Pill>
          </span>
        </div>
        <div className={styles['buttons']}>
          <Button
            kind="quiet"
            aria-expanded={isOpen}
            onClick={() => {
              setIsOpen(!isOpen);
            }}
          >
            {t.details}
          </Button>
          {isOfRecords && (
            <Button
              icon="undo"
              onClick={() => {
                onWish({ kind: 'revert', serial });
              }}
            >
              {t.revert}
            </Button>
          )}
          {!isNewest && (
            <Button
              icon="history"
              onClick={() => {
                onWish({ kind: 'restore', serial });
              }}
            >
              {t.restore}
            </Button>
          )}
        </div>
      </div>
      {isOpen && <StepDetails projectId={projectId} domain={domain} step={step} />}
    </li>
  );
}

/** The reason of a change. That of an undo names the undone change, and links it. */
function Note({ note, source }: { readonly note: string; readonly source: Changeset['source'] }) {
  const t = useMessages(MESSAGES);
  const isUndo = source === 'restore' || source === 'revert';
  const [, serial, rest] = (isUndo ? UNDO_NOTE.exec(note) : null) ?? [];
  if (!isUndo || serial === undefined)
    return <span className={styles['note']}>{t.noted(note)}</span>;
  return (
    <>
      <a href={`#serial-${serial}`}>{t.undoOf[source](Number(serial))}</a>
      {rest !== undefined && <span className={styles['note']}>{t.noted(rest)}</span>}
    </>
  );
}

/** Note that the service writes for an undo, with the reason of the user. */
const UNDO_NOTE = /^(?:Restored|Reverted) serial (\d+)(?:: (.*))?$/s;

/** Whether the source is worth showing. Screens and clients write a single record as a batch of one. */
function isTelling(
  source: Changeset['source'],
  total: number,
): source is NonNullable<Changeset['source']> {
  return source !== null && source !== 'api' && !(source === 'batch' && total === 1);
}

const MOST_CHANGES = 200;

/** Lists the changes of a changeset: those that follow its newest change in the history and have its serial. */
function StepDetails({
  projectId,
  domain,
  step,
}: Pick<StepRowProps, 'projectId' | 'domain' | 'step'>) {
  const t = useMessages(MESSAGES);
  const query = useQuery({
    queryKey: [...keys.inDomain(projectId, domain.id), 'step', step.serial_after, step.id],
    queryFn: async ({ signal }) => {
      const asked = {
        since: step.changed_at,
        until: justAfter(step.changed_at),
        limit: MOST_CHANGES,
      };
      const { value } = await clientOf(projectId).call(
        'listChanges',
        { path: { domainId: domain.id }, query: asked },
        { signal },
      );
      return value.changes.filter(({ serial_after: serial }) => serial === step.serial_after);
    },
  });
  return (
    <QueryView query={query}>
      {(changes) => (
        <ChangeList
          title={t.changes}
          {...toDifference(
            changes.map(({ before, after }) => ({ before: toLine(before), after: toLine(after) })),
          )}
        />
      )}
    </QueryView>
  );
}

/** Adds one microsecond, since the end of a filter is exclusive. */
function justAfter(at: string): string {
  const micros = BigInt(Date.parse(`${at.slice(0, 19)}Z`)) * 1_000n + BigInt(at.slice(20, 26)) + 1n;
  const seconds = new Date(Number(micros / 1_000n)).toISOString().slice(0, 19);
  return `${seconds}.${String(micros % 1_000_000n).padStart(6, '0')}`;
}

/** Changeset of a domain: all changes with one serial. */
type Changeset = NonNullable<Output<'listChanges'>['steps']>[number];
