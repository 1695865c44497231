import type { Database } from '@zonewright/database';
import type { Context } from '../context.js';
import type { TenantRequest } from '../http/operation.js';
import { markerProblem } from '../http/page.js';
import { jsonReply, type StoredReply } from '../http/reply.js';
import { invalidRequest } from '../problem.js';
import {
  findChangeSerial,
  findHistoryStart,
  type HistoryStart,
  listChanges,
} from './history-store.js';
import { renderChange, renderHistoryStart } from './render.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** The history of a domain, newest first, a page at a time; it begins where retention has left it. */
export async function listChangesReply(
  { db, zones }: Context,
  { caller, params, query }: TenantRequest,
): Promise<StoredReply> {
  const limit = readInteger(query, 'limit', MAX_LIMIT) ?? DEFAULT_LIMIT;
  const marker = readInteger(query, 'marker', Number.MAX_SAFE_INTEGER);
  const zone = await zones.get(caller.tenantId, params['domainId'] ?? '');
  const start = await findHistoryStart(db, zone.id);
  const olderThan =
    marker === undefined ? undefined : await getPosition(db, { zoneId: zone.id, start }, marker);
  const changes = await listChanges(db, zone.id, { olderThan, limit });
  return jsonReply({
    changes: changes.map(renderChange),
    history_begins: renderHistoryStart(start),
  });
}

async function getPosition(
  db: Database,
  { zoneId, start }: { readonly zoneId: string; readonly start: HistoryStart | undefined },
  id: number,
) {
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
