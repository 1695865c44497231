import type { Database } from '@zonewright/database';
import { isRecordTypeName } from '@zonewright/dns-records';
import {
  forEachInSlices,
  invalidRequest,
  isUuid,
  type Problem,
  ServiceError,
} from '@zonewright/service-kit';
import {
  type Caller,
  type ChangeFilter,
  findChangeSerial,
  findHistoryStart,
  findTombstone,
  type HistoryPeriod,
  type HistoryStart,
  type JournalChange,
  listChanges,
  listChangesets,
  listHistoryPeriods,
  type Zone,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { renderAuthor, renderChangeset } from '../context/render-event.js';
import { readFlag } from '../http/members.js';
import type { TenantRequest } from '../http/operation.js';
import { markerProblem } from '../http/page.js';
import { canonicalFilterName, readParameter } from '../http/parameters.js';
import { jsonTextReply, type StoredReply } from '../http/reply.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
/** Each of them is looked through, and an import is one. */
const MAX_STEPS = 100;

/** A page ends when it has so many octets, whatever its limit: a change can hold two images of 260 KB. */
const MAX_PAGE_OCTETS = 2 * 1_048_576;

/** The history of a domain, newest first, a page at a time; it begins where retention has left it. */
export async function listChangesReply(
  context: Context,
  { caller, params, query, baseUrl }: TenantRequest,
): Promise<StoredReply> {
  const { db } = context;
  const limit = readInteger(query, 'limit', MAX_LIMIT) ?? DEFAULT_LIMIT;
  const marker = readInteger(query, 'marker', Number.MAX_SAFE_INTEGER);
  const asked = readChangeQuery(query);
  const { id, periods } = await getReadableHistory(context, caller, params['domainId'] ?? '');
  const start = await findHistoryStart(db, id, periods.slice(-1));
  const olderThan =
    marker === undefined ? undefined : await getPosition(db, { zoneId: id, start }, marker);
  const read = asked.isGrouped ? readSteps : readPage;
  const own = { ...asked, filter: { ...asked.filter, periods } };
  const { members, next } = await read(db, id, { olderThan, limit, asked: own });
  const headers: Record<string, string> =
    next === undefined
      ? {}
      : {
          Link: `<${baseUrl}/v1/domains/${id}/changes?${nextQuery(query, limit, next)}>; rel="next"`,
        };
  const begins = JSON.stringify(renderHistoryStart(start));
  return jsonTextReply(`{${members},"history_begins":${begins}}`, headers);
}

/** Part of a zone's history that the caller may read. */
interface ReadableHistory {
  readonly id: string;
  /** Oldest first, at least one. */
  readonly periods: readonly HistoryPeriod[];
}

/**
 * Returns the changes of the times in which the zone was the caller's. The zone may be deleted, as long as it can be restored, or may
 * have been given away.
 */
async function getReadableHistory(
  context: Context,
  caller: Caller,
  id: string,
): Promise<ReadableHistory> {
  const { db } = context;
  const { tenantId } = caller;
  try {
    const zone = await getZoneOrTombstone(context, caller, id);
    return {
      id: zone.id,
      periods: await listHistoryPeriods(db, zone.id, { tenantId, owner: tenantId }),
    };
  } catch (error) {
    // A restricted key is for domains that its tenant has.
    const isMissing = error instanceof ServiceError && error.kind === 'not-found';
    if (!isMissing || !isUuid(id) || caller.key !== undefined || caller.isGuest === true)
      throw error;
    const all = await listHistoryPeriods(db, id, { tenantId, owner: undefined });
    const periods = all.filter(({ until }) => until !== undefined);
    if ((await findHistoryStart(db, id, periods)) === undefined) throw error;
    return { id: id.toLowerCase(), periods };
  }
}

/** Returns a zone, or a deleted one as long as it can be restored. */
async function getZoneOrTombstone(
  { db, zones, settings }: Context,
  caller: Caller,
  id: string,
): Promise<Zone> {
  try {
    return await zones.get(caller, id);
  } catch (error) {
    const isMissing = error instanceof ServiceError && error.kind === 'not-found';
    if (!isMissing || !isUuid(id)) throw error;
    const { undeleteDays } = settings.rules;
    const tombstone = await findTombstone(db, caller.tenantId, id, undeleteDays);
    if (tombstone === undefined) throw error;
    return tombstone;
  }
}

function nextQuery(query: URLSearchParams, limit: number, marker: number): string {
  const next = new URLSearchParams({ limit: String(limit), marker: String(marker) });
  for (const name of CHANGE_PARAMETERS) {
    const value = query.get(name);
    if (value !== null) next.set(name, value);
  }
  return next.toString();
}

interface Position {
  readonly serial: number;
  readonly id: number;
}

interface AskedPage {
  readonly olderThan: Position | undefined;
  readonly limit: number;
  readonly asked: ChangeQuery;
}

/** A page as JSON, and the marker of the next page, if there may be one. */
interface ReadPage {
  readonly members: string;
  readonly next: number | undefined;
}

async function readPage(
  db: Database,
  zoneId: string,
  { olderThan, limit, asked }: AskedPage,
): Promise<ReadPage> {
  const changes: string[] = [];
  let position = olderThan;
  let octets = 0;
  let isEnd = false;
  while (!isEnd && changes.length < limit && octets < MAX_PAGE_OCTETS) {
    const part = await listChanges(
      db,
      zoneId,
      {
        olderThan: position,
        limit: limit - changes.length,
        octets: MAX_PAGE_OCTETS - octets,
      },
      asked.filter,
    );
    ({ isEnd } = part);
    await forEachInSlices(part.changes, (change) => {
      // The next page reads the remaining changes again.
      if (octets >= MAX_PAGE_OCTETS) {
        isEnd = false;
        return;
      }
      const text = JSON.stringify(renderChange(change, asked.isExtended));
      changes.push(text);
      octets += text.length;
      position = { serial: change.serialAfter, id: change.id };
    });
  }
  return { members: `"changes":[${changes.join(',')}]`, next: isEnd ? undefined : position?.id };
}

async function readSteps(
  db: Database,
  zoneId: string,
  { olderThan, limit, asked }: AskedPage,
): Promise<ReadPage> {
  const page = { olderThan: olderThan?.serial, limit: Math.min(limit, MAX_STEPS) + 1 };
  const steps = await listChangesets(db, zoneId, page, asked.filter);
  const shown = steps.slice(0, page.limit - 1);
  return {
    members: `"changes":[],"steps":${JSON.stringify(shown.map(renderChangeset))}`,
    next: steps.length > shown.length ? shown.at(-1)?.id : undefined,
  };
}

async function getPosition(
  db: Database,
  { zoneId, start }: { readonly zoneId: string; readonly start: HistoryStart | undefined },
  id: number,
): Promise<Position> {
  const serial = await findChangeSerial(db, zoneId, id);
  if (serial !== undefined) return { serial, id };
  // It was removed since the page that ended with it, and what came before it with it.
  if (start !== undefined && id < start.id) return { serial: 0, id };
  throw invalidRequest([markerProblem(String(id))]);
}

function readInteger(query: URLSearchParams, name: string, maximum: number): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= maximum) return value;
  throw invalidRequest([
    {
      path: name,
      validator: 'type',
      message: `${name} is ${JSON.stringify(text)}; write an integer from 1 to ${maximum}.`,
    },
  ]);
}

/** Requested changes, and how they are shown. */
interface ChangeQuery {
  readonly filter: ChangeFilter;
  /** Whether changes have all members. Older clients refuse unknown members, and never ask for them. */
  readonly isExtended: boolean;
  /** Whether the changes of one serial are shown as one. */
  readonly isGrouped: boolean;
}

const FILTERS = ['record_id', 'name', 'type', 'user_id', 'since', 'until'] as const;
/** Parameters that the link to the next page repeats. */
const CHANGE_PARAMETERS = [...FILTERS, 'extended', 'group'] as const;

/** Time in UTC as the API shows it; the zone is optional. */
const TIME = /^(\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)?)Z?$/;

/** @throws ServiceError `invalid` with all problems. */
function readChangeQuery(query: URLSearchParams): ChangeQuery {
  const [recordId, name, type, userId, since, until] = FILTERS.map((each) =>
    readParameter(query, each),
  );
  const group = query.get('group') ?? 'none';
  const problems: Problem[] = [
    ...check(
      'record_id',
      'format',
      recordId === undefined || isUuid(recordId),
      'the id of a record',
    ),
    ...check(
      'type',
      'enum',
      type === undefined || isRecordTypeName(type.toUpperCase(), 'all'),
      'the name of a record type',
    ),
    ...check('group', 'enum', group === 'none' || group === 'serial', 'serial or none'),
    ...checkTime('since', since),
    ...checkTime('until', until),
  ];
  if (problems.length > 0) throw invalidRequest(problems);
  return {
    filter: {
      recordId,
      name: canonicalFilterName(name),
      type: type?.toUpperCase(),
      userId,
      since: toUtc(since),
      until: toUtc(until),
    },
    isExtended: readFlag(query, 'extended'),
    isGrouped: group === 'serial',
  };
}

function checkTime(path: string, value: string | undefined): Problem[] {
  const isTime = value === undefined || (TIME.test(value) && !Number.isNaN(Date.parse(value)));
  return check(path, 'format', isTime, 'a time in UTC, such as 2026-11-21T01:02:03 or 2026-11-21');
}

function toUtc(time: string | undefined): string | undefined {
  return time?.replace(TIME, '$1+00');
}

function check(path: string, validator: string, isRight: boolean, what: string): Problem[] {
  return isRight ? [] : [{ path, validator, message: `${path} must be ${what}.` }];
}

/** A change as the API shows it: who, when, what, and the serial before and after; extended, also by which way and why. */
function renderChange(change: JournalChange, isExtended: boolean) {
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
function renderHistoryStart(start: HistoryStart | undefined) {
  return start === undefined ? null : { serial: start.serial, changed_at: start.changedAt };
}
