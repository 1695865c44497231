import { findAsciiDomainName } from '@zonewright/dns-records';
import { isUuid } from '@zonewright/service-kit';
import {
  changeAlone,
  FLAG_MEMBERS,
  type PlanState,
  type RecordChange,
  type Violation,
  type ZoneChange,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { payerOf, type TenantRequest } from './operation.js';
import { DRY_RUN } from './read-query.js';
import type { StoredReply } from './reply.js';
import { showSerial, write, zoneIdOf } from './write.js';
import { addToQueue } from './change-queue.js';

/** A change of records in one zone that a request asks for, and its answer. */
interface RequestedChange<Made> {
  /** The record that is changed, whose tag the plan compares; undefined if the request names none. */
  readonly recordId?: string;
  /** The same, of a recordset. */
  readonly recordsetId?: string | undefined;
  /** Names that the plan reads or changes; undefined: the name in the body. */
  readonly names?: readonly string[];
  readonly plan: (state: PlanState) => Planned<Made> | Promise<Planned<Made>>;
  readonly render: (made: Made) => StoredReply;
}

interface Planned<Made> {
  readonly changes: readonly RecordChange[];
  readonly made: Made;
  /** Says where in the body a violation is; undefined: its path does. */
  readonly placeViolation?: (violation: Violation) => Violation;
}

/** No name of a record has more, each octet written as \DDD. */
const MAX_NAME_CHARACTERS = 1_020;

/**
 * Makes a change of records. Changes of others in its zone at the same time are made with it, in two statements and without a
 * lock. If it needs more than that, it has a transaction of its own.
 *
 * @param writeAlone answers a request by a transaction
 * @throws ServiceError, Overload
 */
export async function changeRecords<Made>(
  context: Context,
  request: TenantRequest,
  requested: RequestedChange<Made>,
  writeAlone = write,
): Promise<StoredReply> {
  const zoneId = zoneIdOf(request) ?? '';
  const doAlone = () =>
    writeAlone(context, request, async (work) => {
      const planned = new PlannedChange(request, requested);
      const { after } = await changeAlone(work, zoneId, planned.change);
      return { reply: planned.render(), serial: after.serial };
    });
  const { recordId, recordsetId } = requested;
  const ids = [zoneId, recordId, recordsetId].filter((id) => id !== undefined);
  if (asksForMore(request) || !ids.every(isUuid)) return await doAlone();
  context.writes.check(payerOf(request));
  return await addToQueue(zoneId, {
    context,
    request,
    isInTurn: true,
    toChange: (work) => {
      const planned = new PlannedChange(request, requested);
      return {
        work,
        ...planned.change,
        kept: undefined,
        toReply: ({ serial }) => showSerial({ reply: planned.render(), serial }, work),
      };
    },
    changeAlone: doAlone,
  });
}

/** One attempt at a change. */
class PlannedChange<Made> {
  readonly change: ZoneChange;
  readonly #render: RequestedChange<Made>['render'];
  #planned: Planned<Made> | undefined;

  constructor({ body }: TenantRequest, requested: RequestedChange<Made>) {
    const { recordId, recordsetId, names = nameOf(body), plan, render } = requested;
    this.#render = render;
    this.change = {
      ...{ names, recordId, recordsetId },
      plan: async (state) => {
        this.#planned = await plan(state);
        return this.#planned.changes;
      },
      placeViolation: (violation) => this.#planned?.placeViolation?.(violation) ?? violation,
    };
  }

  render(): StoredReply {
    if (this.#planned === undefined) throw new Error('Nothing was planned.');
    return this.#render(this.#planned.made);
  }
}

/** A mail target may be in another zone; a record with flags may be in another table. */
function asksForMore(request: TenantRequest): boolean {
  const { headers, query, body, caller } = request;
  const isBare = (headers.idempotencyKey ?? headers.prefer) === undefined;
  const isOfPayer = payerOf(request) === caller.tenantId;
  const members = membersOf(body);
  const hasFlags = FLAG_MEMBERS.some((member) => members[member] !== undefined);
  return !isBare || !isOfPayer || query.has(DRY_RUN) || members['type'] === 'MX' || hasFlags;
}

function membersOf(body: unknown): Readonly<Record<string, unknown>> {
  return (body ?? {}) as Readonly<Record<string, unknown>>;
}

/** An invalid name is refused when its zone is known. */
function nameOf(body: unknown): string[] {
  const { name } = membersOf(body);
  if (typeof name !== 'string' || name.length > MAX_NAME_CHARACTERS) return [];
  const known = findAsciiDomainName(name);
  return known === undefined ? [] : [known];
}
