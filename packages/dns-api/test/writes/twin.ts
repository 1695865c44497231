import { type MessageRecord, nameToWire, rdataToWire, RR_CLASS } from '@zonewright/dns-records';
import { meetsOpenFault } from './meets-open-fault.js';
import { isOpen } from './open-faults.js';
import type { Content, Operation, ZoneRole } from './operations.js';
import {
  type Answer,
  type Method,
  rrOf,
  type UpdateMessage,
  type Who,
  type WritePlatform,
} from './use-write-platform.js';
import { readEntries, readRows, type Row } from './zone-state.js';

/** One of a twin's zones. */
export interface TwinZone {
  readonly id: string;
  readonly name: string;
}

interface HttpCall {
  readonly form: 'http';
  readonly who: Who;
  readonly method: Method;
  readonly path: string;
  readonly body?: object | string;
}

/** A request over HTTP, or an update that a nameserver relays. */
export type Call = HttpCall | (UpdateMessage & { readonly form: 'message' });

/** The zones of one twin; the names of both twins differ in one letter. */
export class Twin {
  readonly zones = new Map<ZoneRole, TwinZone>();
  /** The child zone while it is deleted. */
  #deletedChild: TwinZone | undefined;
  readonly #platform: WritePlatform;
  readonly #label: string;

  constructor(platform: WritePlatform, label: string) {
    this.#platform = platform;
    this.#label = label;
  }

  nameOf(role: ZoneRole): string {
    const parent = `${this.#label}.example.`;
    return role === 'parent' ? parent : role === 'child' ? `kid.${parent}` : `p${parent}`;
  }

  /** Converts names, also in hexadecimal rdata, to a text that is the same for both twins. */
  toCommon = (text: string): string =>
    text
      .replaceAll(this.#label, 'twin')
      .replaceAll(Buffer.from(this.#label).toString('hex'), 'twin');

  async rowsOf(role: ZoneRole): Promise<Row[]> {
    const zone = this.zones.get(role);
    return zone === undefined ? [] : await readRows(this.#platform.db, zone.id);
  }

  /** Returns the call for an operation in the current state; undefined if its object does not exist. */
  async toCall(operation: Operation): Promise<Call | undefined> {
    const { kind, zone: role } = operation;
    if (kind === 'make-child' || kind === 'remove-child' || kind === 'bring-child-back') {
      return this.#childCall(kind);
    }
    const zone = this.zones.get(role);
    if (zone === undefined) return undefined;
    const rows = await readRows(this.#platform.db, zone.id);
    return await this.#callOf(operation, zone, rows);
  }

  /** Records whether the response created or deleted a child zone. */
  note(kind: string, { status, body }: Answer): void {
    const child = this.zones.get('child');
    if (status >= 300) return;
    if (kind === 'make-child') {
      const { id, name } = body as TwinZone;
      this.zones.set('child', { id, name });
    } else if (kind === 'remove-child' && child !== undefined) {
      this.zones.delete('child');
      this.#deletedChild = child;
    } else if (kind === 'bring-child-back' && this.#deletedChild !== undefined) {
      this.zones.set('child', this.#deletedChild);
      this.#deletedChild = undefined;
    }
  }

  #childCall(kind: string): Call | undefined {
    const child = this.zones.get('child');
    const owner = { form: 'http', who: 'owner' } as const;
    if (kind === 'make-child') {
      const body = { name: this.nameOf('child'), email: 'admin@example.com' };
      return { ...owner, method: 'POST', path: '/v1/domains', body };
    }
    if (kind === 'remove-child') {
      return child && { ...owner, method: 'DELETE', path: `/v1/domains/${child.id}` };
    }
    const gone = this.#deletedChild;
    return gone && { ...owner, method: 'POST', path: `/v1/domains/${gone.id}/undelete` };
  }

  async #callOf(
    operation: Operation,
    zone: TwinZone,
    rows: readonly Row[],
  ): Promise<Call | undefined> {
    const { kind, pick } = operation;
    const row = rows[pick % Math.max(rows.length, 1)];
    if (meetsOpenFault(operation, row)) return undefined;
    switch (kind) {
      case 'message':
        return this.#message(operation, zone, row);
      case 'create-set':
      case 'update-set':
      case 'delete-set':
        return await this.#setCall(operation, zone, row);
      case 'restore':
      case 'revert':
        return await this.#undoCall(operation, zone);
      default:
        return this.#v1Call(operation, zone, row, rows);
    }
  }

  #v1Call(
    operation: Operation,
    zone: TwinZone,
    row: Row | undefined,
    rows: readonly Row[],
  ): Call | undefined {
    const { kind, ttl, isSure, flag } = operation;
    // v1 does not support shares.
    const who = operation.who === 'sharer' ? 'owner' : operation.who;
    const path = `/v1/domains/${zone.id}`;
    const one = `${path}/records/${row?.id ?? ''}?all_types=true&extended=true`;
    const [record] = this.#records(operation, zone);
    const created = { ...record, ...flagsOf(flag) };
    const items = () => this.#items(operation, zone, rows);
    const batch = { atomic: operation.pick % 3 !== 0, ...(isSure ? { confirm: true } : {}) };
    const query = isSure ? '?mode=replace&confirm=true' : '?mode=merge';
    const calls: Readonly<Record<string, () => Call | undefined>> = {
      create: () => record && http(who, 'POST', `${path}/records?all_types=true`, created),
      update: () => row && http(who, 'PUT', one, this.#updateOf(operation, record, row)),
      delete: () => row && http(who, 'DELETE', one),
      batch: () => http(who, 'POST', `${path}/batch`, { operations: items(), ...batch }),
      import: () =>
        http('owner', 'POST', `${path}/import${query}`, this.#zoneFile(operation, zone)),
      zone: () => http('owner', 'PUT', path, { ttl: ttl ?? 600 }),
    };
    return calls[kind]?.();
  }

  #updateOf(
    { flag, pick, ttl }: Operation,
    record: { name: string; type: string; data: string } | undefined,
    row: Row,
  ): object {
    const flags = flagsOf(flag);
    if (Object.keys(flags).length > 0) return flags;
    if (record !== undefined && pick % 3 === 1) return { name: record.name };
    return pick % 3 === 2 && record?.type === row.type ? { data: record.data } : { ttl };
  }

  #items(operation: Operation, zone: TwinZone, rows: readonly Row[]): object[] {
    const { pick, ttl } = operation;
    const creations = this.#records(operation, zone).map((record) => ({
      action: 'create',
      record,
    }));
    const from = pick % Math.max(rows.length, 1);
    const [gone, kept] = rows.slice(from, from + 2);
    return [
      ...creations.slice(0, 2),
      ...(gone === undefined ? [] : [{ action: 'delete', id: gone.id }]),
      ...(kept === undefined ? [] : [{ action: 'update', id: kept.id, record: { ttl } }]),
    ];
  }

  #zoneFile(operation: Operation, zone: TwinZone): string {
    return this.#records(operation, zone)
      .map(({ name, ttl, type, priority, data }) =>
        [name, ttl, 'IN', type, priority, data].filter((field) => field !== undefined).join(' '),
      )
      .join('\n');
  }

  async #setCall(
    operation: Operation,
    zone: TwinZone,
    row: Row | undefined,
  ): Promise<Call | undefined> {
    const { kind, who } = operation;
    const path = `/v2/zones/${zone.id}/recordsets`;
    const [first, ...others] = this.#records(operation, zone);
    if (first === undefined) return undefined;
    const records = [first, ...others.filter(({ type }) => type === first.type)];
    if (kind === 'create-set') {
      const { name, type, ttl } = first;
      const texts = [...new Set(records.map(textOf))];
      const more = ttl === undefined ? {} : { ttl };
      return http(who, 'POST', path, { name, type, records: texts, ...more });
    }
    const id = row?.isOff === false ? await this.#findSet(path, row) : undefined;
    if (id === undefined) return undefined;
    if (kind === 'delete-set') return http(who, 'DELETE', `${path}/${id}`);
    const fitting = records.filter(({ type }) => type === row?.type).map(textOf);
    const texts = fitting.length === 0 ? {} : { records: [...new Set(fitting)] };
    return http(who, 'PUT', `${path}/${id}`, { ttl: operation.ttl ?? 3_600, ...texts });
  }

  async #findSet(path: string, { name, type }: Row): Promise<string | undefined> {
    const query = new URLSearchParams({ name, type });
    const { body } = await this.#platform.call('owner', 'GET', `${path}?${query.toString()}`);
    return (body as { recordsets: { id: string }[] }).recordsets[0]?.id;
  }

  async #undoCall({ kind, pick, isSure }: Operation, zone: TwinZone): Promise<Call | undefined> {
    const entries = await readEntries(this.#platform.db, zone.id);
    const serials = [...new Set(entries.map((each) => each.serial_after))];
    const serial = serials[pick % serials.length];
    const path = `/v1/domains/${zone.id}`;
    if (kind === 'restore') {
      return http('owner', 'POST', `${path}/restore`, { serial, confirm: isSure });
    }
    return http('owner', 'POST', `${path}/changes/${serial}/revert?confirm=${isSure}`);
  }

  #message(operation: Operation, zone: TwinZone, row: Row | undefined): Call {
    const { pick, isSure, who } = operation;
    const records = this.#records(operation, zone);
    const name = records[0]?.name ?? zone.name;
    const added = records.map(toRr);
    const any = { class: RR_CLASS.ANY };
    const none = { class: RR_CLASS.NONE };
    const type = records[0]?.type ?? 'A';
    const picked = row?.isOff === false ? [toRr(row)] : [];
    const authorities: readonly MessageRecord[] = [
      added,
      [rrOf(name, type, any)],
      [rrOf(name, 'ANY', any)],
      [rrOf(name, type, any), ...added],
      picked.map((each) => ({ ...each, ttl: 0, ...none })),
    ][pick % 5]!;
    const answers = isSure ? [rrOf(name, 'ANY', pick % 2 === 0 ? any : none)] : [];
    const by = who === 'restricted' ? 'restricted' : 'owner';
    return { form: 'message', who: by, zone: zone.name, parts: { answers, authorities } };
  }

  /** Returns the records in the form of v1. */
  #records({ contents, label, ttl }: Operation, zone: TwinZone) {
    const parent = this.nameOf('parent');
    // Names at and below the child are also written in the child zone.
    const own = zone.name === this.nameOf('child') ? label.replace(/\.?kid$/, '') : label;
    const name = own === '' ? zone.name : `${own}.${zone.name}`;
    const isTaken = ({ type }: Content) =>
      !(isOpen('wildcard NS') && type === 'NS' && name.startsWith('*'));
    return contents.filter(isTaken).map(({ type, data, priority }) => ({
      ...{ name, type, data: data.replace(/@$/, parent) },
      ...(priority === undefined ? {} : { priority }),
      ...(ttl === null ? {} : { ttl }),
    }));
  }
}

function http(who: Who, method: Method, path: string, body?: object | string): HttpCall {
  return { form: 'http', who, method, path, ...(body === undefined ? {} : { body }) };
}

function textOf({ priority, data }: { priority?: number; data: string }): string {
  return priority === undefined ? data : `${priority} ${data}`;
}

function toRr(record: {
  name: string;
  type: string;
  data: string;
  ttl?: number | null;
  priority?: number | null;
}) {
  const { name, type, data, ttl, priority } = record;
  return {
    ...rrOf(name, type as Content['type']),
    name: nameToWire(name),
    ttl: ttl ?? 3_600,
    rdata: rdataToWire(type, data, priority ?? null),
  };
}

function flagsOf(flag: Operation['flag']): object {
  if (flag === 'none') return {};
  return flag === 'ends' ? { expires_at: '2099-01-31T12:00:00Z' } : { disabled: flag === 'off' };
}
