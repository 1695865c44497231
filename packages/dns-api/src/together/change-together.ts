import { findAsciiDomainName } from '@zonewright/dns-records';
import { isUuid } from '@zonewright/service-kit';
import {
  FLAG_MEMBERS,
  type PlanGround,
  type RecordChange,
  type Violation,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { payerOf, type TenantRequest } from '../http/operation.js';
import { DRY_RUN } from '../http/read-query.js';
import type { StoredReply } from '../http/reply.js';
import { showSerial, zoneIdOf } from '../http/write.js';
import { addToQueue } from './change-queue.js';

/** A change of records at the name that the body has, or of one record, and what is shown of it. */
interface NamedChange<Made> {
  /** The record that is changed, whose tag the plan looks at; undefined: none that is there. */
  readonly recordId?: string;
  readonly plan: (ground: PlanGround) => Planned<Made> | Promise<Planned<Made>>;
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
 * Makes a change together with those that others make in its zone at the same time: two statements for all of
 * them, in which no lock is held.
 *
 * @returns undefined: it has to be done alone, as what asks for more than the change
 * @throws ServiceError, Overload
 */
export async function changeTogether<Made>(
  context: Context,
  request: TenantRequest,
  { recordId, plan, render }: NamedChange<Made>,
): Promise<StoredReply | undefined> {
  const zoneId = zoneIdOf(request);
  const looksAtTag = recordId !== undefined;
  if (zoneId === undefined || !isUuid(zoneId) || asksForMore(request, looksAtTag)) return undefined;
  if (recordId !== undefined && !isUuid(recordId)) return undefined;
  context.writes.check(payerOf(request));
  const outcome = await addToQueue(zoneId, {
    context,
    request,
    isInTurn: true,
    toChange: (work) => {
      let planned: Planned<Made> | undefined;
      return {
        work,
        names: nameOf(request.body),
        recordId,
        plan: async (ground) => {
          planned = await plan(ground);
          return planned.changes;
        },
        placeViolation: (violation) => planned?.placeViolation?.(violation) ?? violation,
        kept: undefined,
        toReply: ({ serial }) => {
          if (planned === undefined) throw new Error('Nothing was planned.');
          return showSerial({ reply: render(planned.made), serial }, work);
        },
      };
    },
  });
  if (outcome.kind === 'refused') throw outcome.error;
  return outcome.kind === 'answered' ? outcome.reply : undefined;
}

/** A mail target may lie in another zone; a record with flags may stand in another table. */
function asksForMore(request: TenantRequest, looksAtTag: boolean): boolean {
  const { headers, query, body, caller } = request;
  const isBare = (headers.idempotencyKey ?? headers.prefer) === undefined;
  const isMatched = headers.ifMatch === undefined || looksAtTag;
  const isOfPayer = payerOf(request) === caller.tenantId;
  const members = membersOf(body);
  const hasFlags = FLAG_MEMBERS.some((member) => members[member] !== undefined);
  return (
    !isBare ||
    !isMatched ||
    !isOfPayer ||
    query.has(DRY_RUN) ||
    members['type'] === 'MX' ||
    hasFlags
  );
}

function membersOf(body: unknown): Readonly<Record<string, unknown>> {
  return (body ?? {}) as Readonly<Record<string, unknown>>;
}

/** What is none is refused when its zone is known. */
function nameOf(body: unknown): string[] {
  const { name } = membersOf(body);
  if (typeof name !== 'string' || name.length > MAX_NAME_CHARACTERS) return [];
  const known = findAsciiDomainName(name);
  return known === undefined ? [] : [known];
}
