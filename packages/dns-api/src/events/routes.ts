import { invalidRequest } from '@zonewright/service-kit';
import { type EventPosition, isEventPosition } from '@zonewright/zones';
import type { Operation, TenantRequest } from '../http/operation.js';

const EVENT_STREAM = 'text/event-stream';

/** Header that browsers send when they reconnect (HTML Living Standard s9.2.4). */
const POSITION_HEADER = 'Last-Event-ID';

const HEADERS = {
  'Content-Type': EVENT_STREAM,
  // In addition to no-store, for proxies that compress: a compressor would delay events.
  'Cache-Control': 'no-transform',
  // nginx and those that follow it hold an answer back otherwise.
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
      // RFC 9110 s9.3.2: the response ends before the first event.
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
  const message = `${POSITION_HEADER} must be the id of an event of this stream, or missing.`;
  throw invalidRequest([{ path: POSITION_HEADER, validator: 'format', message }]);
}
