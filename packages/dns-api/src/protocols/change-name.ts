import {
  canonicalOwnerName,
  DnsSyntaxError,
  type Message,
  type MessageRecord,
  nameToWire,
  rdataToWire,
  RR_CLASS,
  RR_TYPE,
  toAsciiDomainName,
  UpdateFault,
} from '@zonewright/dns-records';
import { ServiceError } from '@zonewright/service-kit';
import {
  changeOfUpdate,
  type Plan as ChangePlan,
  findZoneAround,
  type PlanState,
  type Zone,
  zoneNotFound,
  type ZoneRecord,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import type { TenantRequest } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { changeRecords } from '../http/change-records.js';

/** The TTL of records that these protocols write, which change within minutes. */
export const TTL_SECONDS = 60;

/** The length of the longest name if each octet is written as \DDD. */
const MAX_NAME_CHARACTERS = 1_020;

/** Returns the canonical form of a full name, with or without its trailing dot; undefined if the name is invalid. */
export function readWholeName(text: string): string | undefined {
  if (text.length > MAX_NAME_CHARACTERS) return undefined;
  try {
    const name = canonicalOwnerName(toAsciiDomainName(text.endsWith('.') ? text : `${text}.`));
    nameToWire(name);
    return name;
  } catch (error) {
    if (!(error instanceof DnsSyntaxError)) throw error;
    return undefined;
  }
}

type Steps = Pick<Message, 'authorities'>['authorities'];
/**
 * Returns the instructions of a dynamic update (RFC 2136, section 2.5) that bring a name's records into the desired
 * state. Empty if they already have it.
 */
type Plan = (there: readonly ZoneRecord[], zone: Zone) => Steps;

interface NameChange {
  /** The canonical name. */
  readonly name: string;
  readonly plan: Plan;
  /** The preference about waiting for the nameservers, in the form of the header `Prefer`. */
  readonly prefer?: string;
}

/**
 * Changes the records of a name as a dynamic update does: in one transaction, with the rules of the key, quotas and history.
 *
 * @returns whether anything was changed
 * @throws ServiceError `not-found` if the name is not in a zone of the tenant, `forbidden`, `conflict` with an alias, and as `write`
 */
export async function changeName(
  context: Context,
  request: TenantRequest,
  { name, plan, prefer }: NameChange,
): Promise<boolean> {
  const zone = await findZoneAround(context.db, name);
  if (zone?.tenantId !== request.caller.tenantId) throw zoneNotFound();
  const asWrite: TenantRequest = {
    ...request,
    // `write` waits for the publication of this zone.
    params: { domainId: zone.id },
    query: new URLSearchParams(),
    headers: { ...request.headers, prefer, idempotencyKey: undefined },
  };
  const { body } = await changeRecords(context, asWrite, {
    names: [name],
    plan: async (state) => {
      const planned = await planSteps(state, name, plan);
      return { ...planned, made: { isChanged: planned.changes.length > 0 } };
    },
    render: (made) => jsonReply(made),
  });
  return (JSON.parse(body) as { isChanged: boolean }).isChanged;
}

async function planSteps(state: PlanState, name: string, plan: Plan): Promise<ChangePlan> {
  const there = state
    .view()
    .at(name)
    .flatMap(({ row }) => row ?? []);
  const authorities = plan(there, state.zone);
  const answers = authorities.some(isAddition) ? [withoutAlias(name)] : [];
  try {
    return await changeOfUpdate({ answers, authorities }, state.zone.name).plan(state);
  } catch (error) {
    if (!(error instanceof UpdateFault)) throw error;
    throw new ServiceError(
      'conflict',
      `${name} is an alias (CNAME) and cannot have other records.`,
    );
  }
}

/** Types that these protocols write. */
type WrittenType = 'A' | 'AAAA' | 'TXT';

export function addition(name: string, type: WrittenType, data: string, ttl: number) {
  const rdata = rdataToWire(type, data, null);
  return record(name, type, { class: RR_CLASS.IN, ttl, rdata });
}

/** Returns the instruction that deletes one record (RFC 2136, section 2.5.4). */
export function deletion({ name, rdata }: ZoneRecord, type: WrittenType): MessageRecord {
  return record(name, type, { class: RR_CLASS.NONE, rdata });
}

export function hasRdata({ type, rdata }: ZoneRecord, wanted: MessageRecord): boolean {
  return RR_TYPE[type as WrittenType] === wanted.type && Buffer.from(rdata).equals(wanted.rdata);
}

function isAddition(step: MessageRecord): boolean {
  return step.class === RR_CLASS.IN;
}

/**
 * Returns the prerequisite that the name is not an alias (RFC 2136, section 2.4.3). Without it, an addition beside an
 * alias would be ignored silently (section 3.4.2.2).
 */
function withoutAlias(name: string): MessageRecord {
  return record(name, 'CNAME', { class: RR_CLASS.NONE });
}

function record(
  name: string,
  type: WrittenType | 'CNAME',
  members: Partial<MessageRecord> & Pick<MessageRecord, 'class'>,
): MessageRecord {
  return {
    name: nameToWire(name),
    type: RR_TYPE[type],
    ttl: 0,
    rdata: new Uint8Array(),
    ...members,
  };
}
