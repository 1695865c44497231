import { findAsciiDomainName } from '@zonewright/dns-records';
import { isUuid } from '@zonewright/service-kit';
import { changeAlone, type Plan, type PlanState, type ZoneChange } from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { payerOf, type TenantRequest } from './operation.js';
import { DRY_RUN } from './read-query.js';
import type { StoredReply } from './reply.js';
import { showSerial, write, zoneIdOf } from './write.js';
import { addToQueue } from './change-queue.js';

/** A change of records in one zone, with its response. */
interface RequestedChange<Made> extends Omit<ZoneChange, 'names' | 'plan'> {
  /** Names that the plan reads. `undefined` means the name in the body. */
  readonly names?: readonly string[];
  readonly plan: (state: PlanState) => Planned<Made> | Promise<Planned<Made>>;
  readonly render: (made: Made, serial: number) => StoredReply | Promise<StoredReply>;
}

type Planned<Made> = Plan & { readonly made: Made };

/** Maximum length of a record name as text, with each octet written as \DDD. */
const MAX_NAME_CHARACTERS = 1_020;

/**
 * Makes a change of records. Concurrent changes of the zone are made in the same batch, with two statements and without
 * a lock. A change that needs more than that gets its own transaction.
 *
 * @param writeAlone handles a request in its own transaction
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
      const { change, answer } = attempt(request, requested);
      return await answer((await changeAlone(work, zoneId, change)).after);
    });
  const { recordIds = [], recordsetId = zoneId } = requested;
  const ids = [zoneId, recordsetId, ...recordIds];
  if (asksForMore(request) || !ids.every(isUuid)) return await doAlone();
  context.writes.check(payerOf(request));
  return await addToQueue(zoneId, {
    context,
    request,
    isInTurn: true,
    toChange: (work) => {
      const { change, answer } = attempt(request, requested);
      const toReply = async (done: { serial: number }) => showSerial(await answer(done), work);
      return { work, ...change, kept: undefined, toReply };
    },
    changeAlone: doAlone,
  });
}

/** Prepares one attempt at a change, with its response. */
function attempt<Made>({ body }: TenantRequest, requested: RequestedChange<Made>) {
  const { names = nameOf(body), plan, render, ...others } = requested;
  let planned: Planned<Made> | undefined;
  const change: ZoneChange = {
    ...others,
    names,
    plan: async (state) => (planned = await plan(state)),
  };
  const answer = async ({ serial }: { readonly serial: number }) => {
    if (planned === undefined) throw new Error('Nothing was planned.');
    return { reply: await render(planned.made, serial), serial };
  };
  return { change, answer };
}

/**
 * Whether a request needs its own transaction: its response is stored or waits, it is a dry run, or another tenant pays
 * for the zone.
 */
function asksForMore(request: TenantRequest): boolean {
  const { headers, query, caller } = request;
  const isBare = (headers.idempotencyKey ?? headers.prefer) === undefined;
  return !isBare || payerOf(request) !== caller.tenantId || query.has(DRY_RUN);
}

export function membersOf(body: unknown): Readonly<Record<string, unknown>> {
  return (body ?? {}) as Readonly<Record<string, unknown>>;
}

/** An invalid name gets no error here: the plan rejects it when the zone is known. */
export function nameOf(body: unknown): string[] {
  const { name } = membersOf(body);
  if (typeof name !== 'string' || name.length > MAX_NAME_CHARACTERS) return [];
  const known = findAsciiDomainName(name);
  return known === undefined ? [] : [known];
}
