import { findAsciiDomainName } from '@zonewright/dns-records';
import { isUuid } from '@zonewright/service-kit';
import { creation, FLAG_MEMBERS, type ZoneRecord } from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { payerOf, type TenantRequest } from '../http/operation.js';
import { DRY_RUN } from '../http/read-query.js';
import type { StoredReply } from '../http/reply.js';
import { showSerial } from '../http/write.js';
import { addToQueue } from '../together/change-queue.js';
import { knownTypes } from './known-types.js';
import { readNewRecord } from './record-form.js';

/** No name of a record has more, each octet written as \DDD. */
const MAX_NAME_CHARACTERS = 1_020;

/**
 * Creates a record together with those that others create in its zone at the same time: two statements for all of them, in which no lock
 * is held.
 *
 * @param render what is answered, with the record
 * @returns undefined: it has to be done alone, as what asks for more than the record
 * @throws ServiceError, Overload
 */
export async function createTogether(
  context: Context,
  request: TenantRequest,
  render: (record: ZoneRecord) => StoredReply,
): Promise<StoredReply | undefined> {
  const zoneId = request.params['domainId'] ?? '';
  if (!isUuid(zoneId) || asksForMore(request)) return undefined;
  context.writes.check(payerOf(request));
  const outcome = await addToQueue(zoneId, {
    context,
    request,
    isInTurn: true,
    toChange: (work) => {
      let made: ZoneRecord | undefined;
      return {
        work,
        names: nameOf(request.body),
        plan: (_view, zone) => {
          const known = knownTypes(context, request.query);
          const change = creation(zone, readNewRecord(request.body, zone.name, known));
          made = change.after;
          return [change];
        },
        kept: undefined,
        toReply: ({ serial }) => {
          if (made === undefined) throw new Error('Nothing was created.');
          return showSerial({ reply: render(made), serial }, work);
        },
      };
    },
  });
  if (outcome.kind === 'refused') throw outcome.error;
  return outcome.kind === 'answered' ? outcome.reply : undefined;
}

/** A mail target may lie in another zone; a record with flags may stand in another table. */
function asksForMore(request: TenantRequest): boolean {
  const { headers, query, body, caller } = request;
  const isBare = (headers.ifMatch ?? headers.idempotencyKey ?? headers.prefer) === undefined;
  const isOfPayer = payerOf(request) === caller.tenantId;
  const members = membersOf(body);
  const hasFlags = FLAG_MEMBERS.some((member) => members[member] !== undefined);
  return !isBare || !isOfPayer || query.has(DRY_RUN) || members['type'] === 'MX' || hasFlags;
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
