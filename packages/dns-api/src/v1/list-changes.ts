import type { Database, ZoneImage } from '@zonewright/database';
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
/** Maximum number of changes on a page. An import counts as one, and each change is searched. */
const MAX_STEPS = 100;

/** Maximum size of a page in bytes, whatever its limit is: a change can contain two images of 260 KB. */
const MAX_PAGE_OCTETS = 2 * 1_048_576;

/** Returns one page of the history of a domain, newest first, down to the oldest change that is retained. */
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
  /** Periods of ownership, oldest first; at least one. */
  readonly periods: readonly HistoryPeriod[];
}

/**
 * Returns the changes made while the caller owned the zone. The zone may be deleted, if it can still be restored, or
 * transferred to another tenant.
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
    // A restricted key can only read domains that its tenant owns now.
    const isMissing = error instanceof ServiceError && error.kind === 'not-found';
    if (!isMissing || !isUuid(id) || caller.key !== undefined || caller.isGuest === true)
      throw error;
    const all = await listHistoryPeriods(db, id, { tenantId, owner: undefined });
    const periods = all.filter(({ until }) => until !== undefined);
    if ((await findHistoryStart(db, id, periods)) === undefined) throw error;
    return { id: id.toLowerCase(), periods };
  }
}

/** Returns a zone, or a deleted one if it can still be restored. */
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
    const tombstone = await findTombstone(db, {
      tenantId: caller.tenantId,
      id,
      days: undeleteDays,
    });
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

/** A page as JSON. The marker is undefined if there is no next page. */
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
  // Retention has removed the last change of the previous page, and all older ones.
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

/** Requested changes, and their format. */
interface ChangeQuery {
  readonly filter: ChangeFilter;
  /** Whether changes have all members. Older clients reject unknown members and do not request them. */
  readonly isExtended: boolean;
  /** Whether the changes of one serial are shown as one. */
  readonly isGrouped: boolean;
}

const FILTERS = ['record_id', 'name', 'type', 'user_id', 'since', 'until'] as const;
/** Parameters that the link to the next page repeats. */
const CHANGE_PARAMETERS = [...FILTERS, 'extended', 'group'] as const;

/** Time in UTC in the format of the API. The suffix Z is optional. */
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

/** Renders a change: user, time, records, and the serial before and after. The extended form adds source and reason. */
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

/** The wire format is only for nameservers. A domain has the name that its users see. */
function renderImage(image: JournalChange['before']): object | null {
  if (image === null) return null;
  const { display_name: name = image.name, ...rest } = image as ZoneImage;
  const members = Object.entries({ ...rest, name });
  return Object.fromEntries(members.filter(([member]) => member !== 'rdata'));
}

/** Renders the serial from which a domain can be viewed and restored. */
function renderHistoryStart(start: HistoryStart | undefined) {
  return start === undefined ? null : { serial: start.serial, changed_at: start.changedAt };
}
