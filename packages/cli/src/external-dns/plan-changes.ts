import type { ApiError, RecordContent, RecordOperation, ZoneRecord } from '@zonewright/client';
import { InputError } from '@zonewright/terminal';
import { planSet } from '../record/plan-set.js';

/** Changes in a request of external-dns: endpoints to delete and endpoints to create. */
export interface Changes {
  readonly leaving: readonly Endpoint[];
  readonly coming: readonly Endpoint[];
}

/** Reads the changes. Lists had capital letters before version 0.19. @throws InputError */
export function readChanges(body: unknown): Changes {
  const lists = new Map(
    Object.entries(body ?? {}).map(([name, list]) => [name.toLowerCase(), list as unknown]),
  );
  const read = (name: string) => readEndpoints(lists.get(name.toLowerCase()), name);
  return {
    leaving: [...read('delete'), ...read('updateOld')],
    coming: [...read('create'), ...read('updateNew')],
  };
}

/** Order of actions. It prevents an alias beside another record in between. */
const ORDER = ['delete', 'update', 'create'];

/** Returns the operations that bring a zone into the desired state. A repeated call returns none. */
export function planChanges(
  present: readonly ZoneRecord[],
  { leaving, coming }: Changes,
): RecordOperation[] {
  const wanted = new Map<string, RecordContent[]>();
  for (const endpoint of [...leaving, ...coming]) {
    wanted.set(keyOf(ownerOf(endpoint), endpoint.recordType), []);
  }
  const recordsByKey = new Map([...wanted.keys()].map((key) => [key, [] as ZoneRecord[]]));
  for (const record of present) recordsByKey.get(keyOf(record.name, record.type))?.push(record);
  const gone = new Set(leaving.flatMap(toRecords).map(identify));
  for (const record of coming.flatMap(toRecords)) {
    wanted.get(keyOf(record.name, record.type))?.push(record);
  }
  const operations = [...wanted].flatMap(([key, records]) => {
    const there = recordsByKey.get(key) ?? [];
    const coming = new Set(records.map(identify));
    // Records that others have added at the name are kept.
    const kept = there.filter(
      (record) => !gone.has(identify(record)) && !coming.has(identify(record)),
    );
    return planSet(there, [...records, ...kept]);
  });
  return operations.toSorted((a, b) => ORDER.indexOf(a.action) - ORDER.indexOf(b.action));
}

/**
 * Returns the operations of a batch without those at the names that the service refuses: half of a change could remove
 * a record without its successor. All operations if the error is not about single ones.
 */
export function withoutRefused(
  operations: readonly RecordOperation[],
  present: readonly ZoneRecord[],
  { status, problems }: Pick<ApiError, 'status' | 'problems'>,
): RecordOperation[] {
  const nameById = new Map(present.map(({ id, name }) => [id, name]));
  const nameOf = (operation: RecordOperation | undefined) =>
    operation?.action === 'create' ? operation.record?.name : nameById.get(operation?.id ?? '');
  const places = problems.map(({ path }) => /^operations\[(\d+)\]/.exec(path)?.[1]);
  const isOfSingle = status === 400 && places.every((place) => place !== undefined);
  const names = new Set(places.map((place) => nameOf(operations[Number(place)])));
  return operations.filter((operation) => !isOfSingle || !names.has(nameOf(operation)));
}

function identify({ name, type, data, priority }: RecordContent): string {
  return JSON.stringify([name, type, data, priority ?? null]);
}

/**
 * All records of a name and type in the format of external-dns: names without a trailing dot, and the priority before
 * the data.
 */
export interface Endpoint {
  readonly dnsName: string;
  readonly recordType: string;
  readonly targets: readonly string[];
  /** Undefined or 0 means the default of the domain. */
  readonly recordTTL?: number;
}

/** Types whose data is a host name or ends with one. */
const WITH_TARGET = new Set(['CNAME', 'NS', 'MX', 'PTR', 'DNAME', 'SRV']);
const WITH_PRIORITY = new Set(['MX', 'SRV']);

/** Reads endpoints. Names with another spelling could not be matched. @throws InputError */
export function readEndpoints(value: unknown, what: string): Endpoint[] {
  // Go writes null for an empty list.
  const list = value ?? [];
  if (Array.isArray(list) && list.every(isEndpoint)) return list;
  throw new InputError(`${what} is not a list of endpoints`);
}

function isEndpoint(value: unknown): value is Endpoint {
  const { dnsName, recordType, targets, recordTTL = 0 } = (value ?? {}) as Partial<Endpoint>;
  return (
    isText(dnsName) &&
    isText(recordType) &&
    Array.isArray(targets) &&
    targets.every(isText) &&
    Number.isInteger(recordTTL)
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function ownerOf({ dnsName }: Endpoint): string {
  return `${dnsName.replace(/\.$/, '')}.`.toLowerCase();
}

/** Returns the key under which records and endpoints of one name and type are found. */
function keyOf(name: string, type: string): string {
  return `${name} ${type}`;
}

function toRecords(endpoint: Endpoint): RecordContent[] {
  const { recordType: type, targets, recordTTL: ttl = 0 } = endpoint;
  const common = { name: ownerOf(endpoint), type, ...(ttl > 0 ? { ttl } : {}) };
  return targets.map((target) => ({ ...common, ...toData(type, target) }));
}

function toData(type: string, target: string): { data: string; priority?: number } {
  if (!WITH_TARGET.has(type)) return { data: target };
  const data = target.endsWith('.') ? target : `${target}.`;
  const [, priority, rest = ''] = /^(\d+) +(.+)$/.exec(data) ?? [];
  return WITH_PRIORITY.has(type) && priority !== undefined
    ? { data: rest, priority: Number(priority) }
    : { data };
}

/** Converts records to endpoints, in the order in which names and types first occur. */
export function toEndpoints(records: readonly ZoneRecord[]): Endpoint[] {
  const byKey = new Map<string, [ZoneRecord, ...ZoneRecord[]]>();
  for (const record of records) {
    const key = keyOf(record.name, record.type);
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, [record]);
    else known.push(record);
  }
  return [...byKey.values()].map((all) => ({
    dnsName: withoutDot(all[0].name),
    recordType: all[0].type,
    targets: all.map(toTarget).sort(),
    ...(all[0].ttl === null ? {} : { recordTTL: all[0].ttl }),
  }));
}

function toTarget({ type, data, priority }: ZoneRecord): string {
  const target = WITH_TARGET.has(type) ? withoutDot(data) : data;
  return priority === null ? target : `${priority} ${target}`;
}

function withoutDot(name: string): string {
  return name.replace(/\.$/, '');
}
