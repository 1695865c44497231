import { findAsciiDomainName } from '@zonewright/dns-records';
import { isUuid } from '@zonewright/service-kit';
import { changeAlone, type Plan, type PlanState, type ZoneChange } from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { payerOf, type TenantRequest } from './operation.js';
import type { StoredReply } from './reply.js';
import { identifyRepetition, repetitionKey } from './answer-once.js';
import {
  type Answer,
  awaitPublication,
  isTried,
  showSerial,
  showTried,
  writeOnce,
  zoneIdOf,
} from './write.js';
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
 * a lock. A change that needs more than that gets its own transaction. Dry runs, retries and waits are as in `write`.
 *
 * @throws ServiceError, Overload
 */
export async function changeRecords<Made>(
  context: Context,
  request: TenantRequest,
  requested: RequestedChange<Made>,
): Promise<StoredReply> {
  const zoneId = zoneIdOf(request) ?? '';
  const doAlone = (own: TenantRequest) =>
    writeOnce(context, own, async (work) => {
      const { change, answer } = attempt(request, requested);
      return await answer((await changeAlone(work, zoneId, change)).after);
    });
  const { recordIds = [], recordsetId = zoneId } = requested;
  const areIds = [zoneId, recordsetId, ...recordIds].every(isUuid);
  const answered = areIds
    ? await changeInQueue(context, request, { requested, zoneId, doAlone })
    : await doAlone(request);
  return await awaitPublication(context, request, answered);
}

async function changeInQueue<Made>(
  context: Context,
  request: TenantRequest,
  {
    requested,
    zoneId,
    doAlone,
  }: {
    readonly requested: RequestedChange<Made>;
    readonly zoneId: string;
    readonly doAlone: (request: TenantRequest) => Promise<Answer>;
  },
): Promise<Answer> {
  if (repetitionKey(request) === undefined) context.writes.check(payerOf(request));
  const isDryRun = isTried(request);
  const kept = isDryRun ? undefined : await identifyRepetition(request);
  const show = isDryRun ? showTried : showSerial;
  return await addToQueue(zoneId, {
    ...{ context, request, isDryRun },
    toChange: (work) => {
      const { change, answer } = attempt(request, requested);
      const toReply = async (done: { serial: number }) => show(await answer(done), work);
      return { work, ...change, kept, toReply };
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
