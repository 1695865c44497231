import type { Database } from '@zonewright/database';
import { RECORD_TYPES } from '@zonewright/dns-records';
import {
  addEffectiveTtls,
  type Caller,
  findRecord,
  listRecords,
  type RecordFilter,
  type ShownRecord,
  type Zone,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { canonicalFilterName } from '../http/filter-name.js';
import { readFlag } from '../http/flags.js';
import type { TenantRequest } from '../http/operation.js';
import { listReply, markerProblem, type Page, readPage } from '../http/page.js';
import { readParameter } from '../http/parameter.js';
import { type ApiReply, renderedJsonReply } from '../http/reply.js';
import { invalidRequest } from '@zonewright/service-kit';
import { renderListedRecord, renderRecord } from './render.js';
import { listKey, type ListedForm, type ListQuery } from '../lists/rendered-lists.js';

const WHOLE_LIST: Page = { limit: undefined, marker: undefined };
/** The parameter of the query that asks for it. */
const EFFECTIVE_TTL = 'effective_ttl';
const NO_FILTER: RecordFilter = { name: undefined, type: undefined, data: undefined };

interface AskedList extends ListQuery {
  /** With what each record is answered with; old clients, which refuse a member that they do not know, never ask. */
  readonly isEffective: boolean;
}

type ListedRecord = ShownRecord & { readonly effectiveTtl?: number };

/** List Records in a Domain (DNS API s4), oldest first. */
export async function listRecordsReply(
  context: Context,
  { caller, params, query, headers }: TenantRequest,
): Promise<ApiReply> {
  const asked = {
    page: readPage(query),
    filter: readFilter(query),
    form: listedForm(context, headers.userAgent),
  };
  const zone = await context.zones.get(caller.tenantId, params['domainId'] ?? '');
  if (readFlag(query, EFFECTIVE_TTL)) {
    return await readList(context, zone, { ...asked, isEffective: true });
  }
  const key = listKey(zone, asked);
  const kept = context.lists.find(key);
  if (kept !== undefined) return renderedJsonReply(kept);
  const reply = await readList(context, zone, { ...asked, isEffective: false });
  // A long list is streamed, and not held anywhere.
  if (typeof reply.body !== 'string') return reply;
  const body = Buffer.from(reply.body, 'utf8');
  // The rows were read after the zone: they are those of its serial only if that has not changed since.
  const { serial } = await context.zones.get(caller.tenantId, zone.id);
  if (serial === zone.serial) context.lists.keep(key, body);
  return renderedJsonReply(body);
}

/** The whole list of a zone's records, if it was rendered before and the zone is as it was then. */
export async function findKeptList(
  context: Context,
  { tenantId }: Caller,
  { zoneId, userAgent }: { readonly zoneId: string; readonly userAgent: string | undefined },
): Promise<Buffer | undefined> {
  const zone = await context.zones.get(tenantId, zoneId);
  const form = listedForm(context, userAgent);
  return context.lists.find(listKey(zone, { page: WHOLE_LIST, filter: NO_FILTER, form }));
}

/**
 * DNS API s2 shows tenant_id and version in lists of records. Every release of python-designateclient refuses them, as
 * the original service sent neither from 2012-12 on (decisions 3).
 */
function listedForm({ settings }: Context, userAgent: string | undefined): ListedForm {
  const isRefused = userAgent?.startsWith('python-designateclient') === true;
  return settings.http.listsShowTenant && !isRefused ? 'with tenant' : 'as by itself';
}

async function requireMarker(db: Database, zone: Zone, { marker }: Page): Promise<void> {
  if (marker === undefined || (await findRecord(db, zone.id, marker)) !== undefined) return;
  throw invalidRequest([markerProblem(marker)]);
}

async function readList({ db }: Context, zone: Zone, asked: AskedList): Promise<ApiReply> {
  const { page, filter, form, isEffective } = asked;
  await requireMarker(db, zone, page);
  return await listReply<ListedRecord>(
    {
      member: 'records',
      fetch: async (part) => {
        const { items, isCut } = await listRecords(db, zone.id, filter, part);
        return { items: isEffective ? await addEffectiveTtls(db, zone, items) : items, isCut };
      },
      render: (record) => renderIn(form, zone, record),
    },
    page,
  );
}

function renderIn(form: ListedForm, { tenantId }: Zone, record: ListedRecord) {
  const rendered =
    form === 'with tenant' ? renderListedRecord(record, tenantId) : renderRecord(record);
  const { effectiveTtl } = record;
  return effectiveTtl === undefined ? rendered : { ...rendered, effective_ttl: effectiveTtl };
}

function readFilter(query: URLSearchParams): RecordFilter {
  const type = readParameter(query, 'type')?.toUpperCase();
  if (type !== undefined && !Object.hasOwn(RECORD_TYPES, type)) {
    const types = Object.keys(RECORD_TYPES).join(', ');
    throw invalidRequest([
      {
        path: 'type',
        validator: 'enum',
        message: `type ${JSON.stringify(type)} is not supported; write one of ${types}.`,
      },
    ]);
  }
  return {
    name: canonicalFilterName(readParameter(query, 'name')),
    type,
    data: readParameter(query, 'data'),
  };
}
