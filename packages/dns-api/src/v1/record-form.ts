import type { SupportedTypes } from '@zonewright/dns-records';
import type { Problem } from '@zonewright/service-kit';
import {
  changedRecordContent,
  newRecordContent,
  RECORD_FLAGS,
  type RecordChange,
  type RecordContent,
  type RecordFields,
  type ZoneRecord,
} from '@zonewright/zones';
import { checkMembers } from '../http/members.js';

/** Writable members (DNS API s4, Create and Update Record), with the extensions of this service. */
const WRITABLE = [
  'name',
  'type',
  'data',
  'ttl',
  'priority',
  'description',
  ...RECORD_FLAGS.members,
];
/** Read-only members of a record. An update may contain them; they are ignored. */
const READ_ONLY = ['id', 'domain_id', 'tenant_id', 'version', 'created_at', 'updated_at'];

/** Whether the client supports flags. */
export function saysFlags(body: unknown): boolean {
  return RECORD_FLAGS.members.some((member) => Object.hasOwn(body ?? {}, member));
}

/** Reads the body of Create Record. @throws ServiceError `invalid` with all problems. */
export function readNewRecord(
  body: unknown,
  zoneName: string,
  known: SupportedTypes,
): RecordContent {
  return newRecordContent(checkMembers(body, WRITABLE), zoneName, known);
}

/**
 * Reads the body of Update Record. Missing members are not changed.
 *
 * @throws ServiceError `invalid` with all problems of the merged record
 */
export function readRecordUpdate(
  body: unknown,
  stored: ZoneRecord,
  rules: { readonly zoneName: string; readonly known: SupportedTypes },
): RecordContent {
  return changedRecordContent(checkMembers(body, [...WRITABLE, ...READ_ONLY]), stored, rules);
}

/** Renders a single record (DNS API s4). Unset members are null (D-ZONE-6). */
export function renderRecord(record: RecordFields, hasFlags = false) {
  return {
    id: record.id,
    name: record.name,
    type: record.type,
    data: record.data,
    ttl: record.ttl,
    priority: record.priority,
    description: record.description,
    domain_id: record.zoneId,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    ...(hasFlags ? RECORD_FLAGS.toMembers(record.flags ?? undefined) : {}),
  };
}

/**
 * Renders a record in a list. Only there does DNS API s2 show tenant_id and version: python-designateclient rejects
 * unknown members when it creates, reads or updates single records.
 */
export function renderListedRecord(record: RecordFields, tenantId: string, hasFlags = false) {
  return { ...renderRecord(record, hasFlags), tenant_id: tenantId, version: record.version };
}

type Shown = NonNullable<RecordChange['after']>;

/** Maximum number of changes in a difference. The counts include those that are left out. */
const MAX_CHANGES_SHOWN = 1_000;
const MAX_OCTETS_SHOWN = 1_048_576;

/** Renders the result of a dry run: each record that would be created, changed or deleted. */
export function renderDifference(changes: readonly RecordChange[], tenantId: string) {
  const shown = shownChanges(changes);
  // Few records have flags. Clients need them to undo changes.
  const hasFlags = changes.some(
    ({ before, after }) => (before?.flags ?? after?.flags) !== undefined,
  );
  const render = (record: Shown) => renderListedRecord(record, tenantId, hasFlags);
  return {
    create: shown.flatMap(({ before, after }) => (before === undefined ? [render(after)] : [])),
    update: shown.flatMap(({ before, after }) =>
      before === undefined || after === undefined
        ? []
        : [
            {
              before: render(before),
              after: render(after),
            },
          ],
    ),
    delete: shown.flatMap(({ before, after }) =>
      before !== undefined && after === undefined ? [render(before)] : [],
    ),
    complete: shown.length === changes.length,
  };
}

function shownChanges(changes: readonly RecordChange[]): readonly RecordChange[] {
  let octets = 0;
  const first = changes.slice(0, MAX_CHANGES_SHOWN);
  const end = first.findIndex(({ before, after }) => {
    octets += (before?.data.length ?? 0) + (after?.data.length ?? 0);
    return octets > MAX_OCTETS_SHOWN;
  });
  return end === -1 ? first : first.slice(0, end);
}

/**
 * Renders the first members of a response with a plan. A dry run shows whether the request would succeed; `refusal` is
 * undefined if it was performed.
 */
export function renderOutcome(refusal: readonly Problem[] | undefined) {
  if (refusal === undefined) return { dry_run: false };
  const outcome = refusal.length > 0 ? 'would_refuse' : 'would_apply';
  return { dry_run: true, outcome, errors: refusal };
}
