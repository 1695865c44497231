import { useQuery } from '@tanstack/react-query';
import { type Output, readAll } from '@zonewright/client';
import { useState } from 'react';
import { clientOf } from '../../api/client.js';
import { keys, type ListedDomain } from '../../api/queries.js';
import { useMessages } from '../../state/language.js';
import { Banner, FailureBanner } from '../../ui/banner.js';
import { CopyButton } from '../../ui/button.js';
import { ChangeList, toZoneLine } from '../../ui/change-list.js';
import { Dialog } from '../../ui/dialog.js';
import { Segments, SelectField, TextArea } from '../../ui/field.js';
import { Loading } from '../../ui/query-view.js';
import { type Change, toDifference, toLine } from './journal-line.js';
import { MESSAGES } from './messages.js';
import styles from './history.module.css';

interface CompareDialogProps {
  readonly projectId: string;
  readonly domain: ListedDomain;
  /** Serials, newest first. */
  readonly serials: readonly number[];
  readonly onClose: () => void;
}

/** Compares two serials, or shows the records at one serial. */
export function CompareDialog({ projectId, domain, serials, onClose }: CompareDialogProps) {
  const t = useMessages(MESSAGES);
  const [newest = 0, before = newest] = serials;
  const [from, setFrom] = useState(before);
  const [to, setTo] = useState(newest);
  const [shown, setShown] = useState<'difference' | 'zone'>('difference');
  const query = useQuery({
    queryKey: [...keys.inDomain(projectId, domain.id), 'compare', shown, from, to],
    queryFn: async ({ signal }) => {
      if (shown === 'zone')
        return { zone: await readZoneAsOf(projectId, domain, from, signal), difference: undefined };
      const changes = await compareSerials(projectId, domain.id, { from, to }, signal);
      return { zone: undefined, difference: toDifference([...changes.values()]) };
    },
  });
  const { data: { zone, difference } = {}, error } = query;
  const fieldOf = (label: string, value: number, onChange: (serial: number) => void) => (
    <SelectField
      label={label}
      value={value}
      onChange={(event) => {
        onChange(Number(event.target.value));
      }}
    >
      {serials.map((serial) => (
        <option key={serial}>{serial}</option>
      ))}
    </SelectField>
  );
  const isSame =
    difference !== undefined &&
    difference.created.length + difference.updated.length + difference.deleted.length === 0;
  return (
    <Dialog title={t.compare} width="wide" onClose={onClose}>
      <div>
        <Segments
          label={t.compare}
          value={shown}
          options={[
            ['difference', t.difference],
            ['zone', t.zoneThen],
          ]}
          onChange={setShown}
        />
      </div>
      <div className={styles['serials']}>
        {fieldOf(shown === 'zone' ? t.atSerial : t.fromSerial, from, setFrom)}
        {shown === 'difference' && fieldOf(t.toSerial, to, setTo)}
      </div>
      {query.isPending && <Loading />}
      {error instanceof RangeError && <Banner tone="warn">{t.tooFar(MOST_CHANGES)}</Banner>}
      {error !== null && !(error instanceof RangeError) && <FailureBanner error={error} />}
      {isSame && <p>{t.same}</p>}
      {difference !== undefined && !isSame && <ChangeList title={t.difference} {...difference} />}
      {zone !== undefined && (
        <>
          <TextArea label={t.zoneThen} rows={14} readOnly value={zone} />
          <div>
            <CopyButton text={zone} />
          </div>
        </>
      )}
    </Dialog>
  );
}

const PAGE_ROWS = 1000;
/** Maximum number of record changes that one comparison reads. */
const MOST_CHANGES = 20_000;

interface Span {
  readonly from: number;
  /** Undefined means the current state. */
  readonly to: number | undefined;
}

/**
 * Returns the records that differ between two serials, by id, with their first and last state in the history between them.
 *
 * @throws RangeError if there are more changes than `MOST_CHANGES`; the client's errors
 */
async function compareSerials(
  projectId: string,
  domainId: string,
  { from, to }: Span,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Change>> {
  const touched = new Map<string, Change>();
  let marker: number | undefined;
  for (let seen = 0; seen < MOST_CHANGES; seen += PAGE_ROWS) {
    const query = { limit: PAGE_ROWS, ...(marker === undefined ? {} : { marker }) };
    const { value } = await clientOf(projectId).call(
      'listChanges',
      { path: { domainId }, query },
      { signal },
    );
    const between = value.changes.filter(({ serial_after: serial }) => isAfter(serial, from));
    for (const change of between)
      if (to === undefined || !isAfter(change.serial_after, to)) touch(touched, change);
    if (between.length < PAGE_ROWS) return onlyDifferent(touched);
    marker = value.changes.at(-1)?.id;
  }
  throw new RangeError();
}

type Entry = Output<'listChanges'>['changes'][number];

/**
 * Adds a change. The newest changes come first, so the last state of a record is already known, and its first state
 * comes later.
 */
function touch(touched: Map<string, Change>, { record_id: id, before, after }: Entry): void {
  if (id === null) return;
  const last = touched.get(id);
  touched.set(id, {
    before: toLine(before),
    after: last === undefined ? toLine(after) : last.after,
  });
}

/** Compares serials, which wrap around (RFC 1982 s3.2). */
function isAfter(serial: number, other: number): boolean {
  return serial !== other && (serial - other) >>> 0 < 2 ** 31;
}

function onlyDifferent(touched: ReadonlyMap<string, Change>): ReadonlyMap<string, Change> {
  return new Map(
    [...touched].filter(
      ([, { before, after }]) => JSON.stringify(before) !== JSON.stringify(after),
    ),
  );
}

/**
 * Returns the records of a past serial as lines of a zone file: the current records without the later changes of the
 * history.
 */
async function readZoneAsOf(
  projectId: string,
  { id, name }: ListedDomain,
  serial: number,
  signal: AbortSignal,
): Promise<string> {
  const records = await readAll(
    clientOf(projectId).records(id).list({ extended: true }, { signal }),
  );
  const since = await compareSerials(projectId, id, { from: serial, to: undefined }, signal);
  const lines = [
    ...records.filter((record) => !since.has(record.id)).map(toZoneLine),
    ...[...since.values()].flatMap(({ before }) => (before === null ? [] : [toZoneLine(before)])),
  ];
  return [`; ${name} ${serial}`, ...lines.toSorted(), ''].join('\n');
}
