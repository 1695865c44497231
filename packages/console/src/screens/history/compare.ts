import { type Output, readAll } from '@zonewright/client';
import { clientOf } from '../../api/client.js';
import type { ListedDomain } from '../../api/queries.js';
import { toZoneLine } from '../../change-list/zone-line.js';
import { type Change, toLine } from './journal-line.js';

const PAGE_ROWS = 1000;
/** Maximum number of record changes that one comparison reads. */
export const MOST_CHANGES = 20_000;

interface Span {
  readonly from: number;
  /** Undefined: as it is now. */
  readonly to: number | undefined;
}

/**
 * Returns the records that differ between two serials, by id, with their first and last state in the history between them.
 *
 * @throws RangeError if there are more changes than `MOST_CHANGES`; the client's errors
 */
export async function compareSerials(
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

/** The newest come first: the last state of a record is known, the first is further down. */
function touch(touched: Map<string, Change>, { record_id: id, before, after }: Entry): void {
  if (id === null) return;
  const last = touched.get(id);
  touched.set(id, {
    before: toLine(before),
    after: last === undefined ? toLine(after) : last.after,
  });
}

/** RFC 1982 s3.2: serials go round. */
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

/** The records of a past serial as lines of a zone file: those of now, without what the history says came since. */
export async function readZoneAsOf(
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
