import { invalidRequest } from '@zonewright/service-kit';
import {
  type Caller,
  type EventPosition,
  getPublication,
  hasRules,
  isEventPosition,
  type Publication,
} from '@zonewright/zones';
import { stateOf } from '../context/render-event.js';
import type { Operation, TenantRequest } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { renderTransferState } from './secondaries.js';

const MAX_WAIT_SECONDS = 10;

/**
 * Returns how long to wait for the publication. Undefined if the client does not wait. @throws ServiceError `invalid`
 */
function readWaitMs(query: URLSearchParams): number | undefined {
  const text = query.get('wait');
  if (text === null) return undefined;
  const seconds = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= MAX_WAIT_SECONDS) return seconds * 1_000;
  const message = `wait must be a number of seconds from 1 to ${MAX_WAIT_SECONDS}.`;
  throw invalidRequest([{ path: 'wait', validator: 'type', message }]);
}

export const PUBLICATION_OPERATIONS: readonly Operation[] = [
  {
    id: 'getPublication',
    name: 'Get the Publication of a Change',
    method: 'GET',
    path: '/v1/domains/{domainId}/changes/{serial}',
    access: 'tenant',
    restricted: 'by-rules',
    body: 'none',
    params: { serial: { type: 'integer' } },
    answers: 'Publication',
    query: { wait: { type: 'integer', minimum: 1, maximum: 10 } },
    handle: async ({ db, zones, publication }, request) => {
      const { caller, params } = request;
      const serial = readSerial(params['serial'] ?? '');
      const waitMs = readWaitMs(request.query);
      const zone = await zones.get(caller, params['domainId'] ?? '');
      const read = () => getPublication({ db, statuses: publication.statuses }, zone, serial);
      const found = await read();
      if (waitMs === undefined || found.count.isPublished) {
        return jsonReply(renderPublication(found, caller));
      }
      // The wait uses neither a slot nor a database connection.
      await request.turn.aside(() =>
        publication.wait(found.change, caller.tenantId, waitMs, request.onAbandoned),
      );
      return jsonReply(renderPublication(await read(), caller));
    },
  },
];

/** Reads the serial in a path. An invalid text is treated as a serial that the domain never had. */
export function readSerial(text: string): number {
  return /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
}

function renderPublication(publication: Publication, caller: Caller) {
  const { primaries } = publication;
  // A restricted key may not read the primaries, and the problem contains their names.
  const shown = primaries && (hasRules(caller) ? { ...primaries, problem: null } : primaries);
  return {
    serial: publication.serial,
    state: stateOf(publication.count),
    committed_at: publication.committedAt,
    applied: publication.count.applied,
    live: publication.count.live,
    total: publication.count.total,
    nameservers: publication.nameservers.map(({ name, isApplied, isLive, moment }) => ({
      name,
      applied: isApplied,
      applied_at: moment?.appliedAt ?? null,
      delay_ms: moment?.delayMs ?? null,
      live: isLive,
    })),
    primaries: renderTransferState(shown),
  };
}

const EVENT_STREAM = 'text/event-stream';

/** Header that browsers send when they reconnect (HTML Living Standard s9.2.4). */
const POSITION_HEADER = 'Last-Event-ID';

const HEADERS = {
  'Content-Type': EVENT_STREAM,
  // The header is added to no-store for proxies that compress, because compression would delay events.
  'Cache-Control': 'no-transform',
  // nginx and compatible proxies buffer the response otherwise.
  'X-Accel-Buffering': 'no',
};

export const EVENT_OPERATIONS: readonly Operation[] = [
  {
    id: 'listenToEvents',
    name: 'Listen to Events',
    method: 'GET',
    path: '/v1/events',
    access: 'tenant',
    restricted: 'by-rules',
    body: 'none',
    types: [EVENT_STREAM],
    answers: 'Event',
    faults: [400],
    handle: async ({ events }, request) => {
      const since = readPosition(request);
      const reply = { status: 200, headers: HEADERS };
      // A response to HEAD ends before the first event (RFC 9110 s9.3.2).
      if (request.method === 'HEAD') return { ...reply, body: '' };
      const { holdToken, onAbandoned: onClosed, caller } = request;
      const { tenantId } = caller;
      const open = await events.admit({ tenantId, holdToken, since, onClosed });
      return { ...reply, body: { open } };
    },
  },
];

/** @throws ServiceError `invalid` */
function readPosition({ header }: TenantRequest): EventPosition | undefined {
  const text = header(POSITION_HEADER);
  if (text === undefined || text === '') return undefined;
  if (isEventPosition(text)) return text;
  const message = `${POSITION_HEADER} must be the id of an event of this stream; otherwise leave it out.`;
  throw invalidRequest([{ path: POSITION_HEADER, validator: 'format', message }]);
}
