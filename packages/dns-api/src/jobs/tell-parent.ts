import {
  AA_FLAG,
  isAtOrBelow,
  type Message,
  NameSyntaxError,
  OPCODE,
  RR_TYPE,
  typeNumber,
  wireToName,
} from '@zonewright/dns-records';
import { isSpecialAddress } from '@zonewright/zones';
import { sendQuestion } from '../doctor/ask-question.js';
import { queryDns, dataOf } from '../doctor/ask-dns.js';
import type { DnsAddress } from '@zonewright/service-kit';

/** The resolver for queries, and the rule for addresses that may be notified. */
export interface ParentPath {
  readonly resolver: DnsAddress;
  /** Whether private and loopback addresses may be notified. */
  readonly mayBePrivate: boolean;
  /** No further message is sent after this signal. */
  readonly signal?: AbortSignal;
}

/** The result of a notification. It is `nobody` if the parent publishes no DSYNC record, or must not be notified. */
export type NotifyResult = 'answered' | 'silent' | 'nobody';

const DSYNC = 'TYPE66';
const DSYNC_LABEL = '_dsync';
const NOTIFY_SCHEME = 1;
/** The length of the type, scheme and port before the target, in octets. */
const FIXED_OCTETS = 5;
const RECURSION_DESIRED = 0x0100;
const RCODE_BITS = 0x000f;
const NXDOMAIN = 3;
const ANSWER_WITHIN_MS = 1_800;
const TRIES = 3;
const TRY_MS = 1_000;

/**
 * Notifies the parent of a zone that a CDS record has changed, if the parent publishes a DSYNC record (RFC 9859). The
 * parent then checks the zone at once; otherwise it checks daily or never.
 * @throws the signal's reason
 */
export async function notifyParent(
  zoneName: string,
  { resolver, mayBePrivate, signal }: ParentPath,
): Promise<NotifyResult> {
  const target = await findTarget(resolver, zoneName, signal);
  if (target === undefined) return 'nobody';
  signal?.throwIfAborted();
  const addresses = (await addressesOf(resolver, target.name)).filter(
    (address) => mayBePrivate || !isSpecialAddress(address),
  );
  const [host] = addresses;
  if (host === undefined) return 'nobody';
  const notify = { name: zoneName, type: 'CDS', flags: (OPCODE.NOTIFY << 11) | AA_FLAG };
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    signal?.throwIfAborted();
    const answer = await sendQuestion({ host, port: target.port }, notify, TRY_MS);
    if (answer !== undefined) return 'answered';
  }
  return 'silent';
}

interface Target {
  readonly name: string;
  readonly port: number;
}

/**
 * Finds the parent's target (RFC 9859, section 4.1). The first query is for the zone's own name below the label,
 * because the parent may be several levels above; the last query is for the label alone.
 */
async function findTarget(
  resolver: DnsAddress,
  zoneName: string,
  signal?: AbortSignal,
): Promise<Target | undefined> {
  const [label = '', ...above] = zoneName.split('.');
  const next = above.join('.') || '.';
  const answer = await ask(resolver, lookupName(label, next));
  if (answer === undefined) return undefined;
  const apex = apexOf(answer);
  const isHigher = apex !== undefined && isAbove(apex, next);
  const others = isHigher
    ? [
        lookupName(zoneName.slice(0, apex === '.' ? -1 : -apex.length - 1), apex),
        lookupName('', apex),
      ]
    : [lookupName('', next)];
  let target = targetOf(answer);
  for (const name of others) {
    if (target !== undefined) break;
    signal?.throwIfAborted();
    target = targetOf(await ask(resolver, name));
  }
  return target;
}

function lookupName(child: string, parent: string): string {
  return [child, DSYNC_LABEL, parent === '.' ? '' : parent]
    .filter((part, at) => part !== '' || at === 2)
    .join('.');
}

function isAbove(apex: string, name: string): boolean {
  return apex !== name && isAtOrBelow(name, apex);
}

/** Returns undefined if the resolver gives neither an answer nor NXDOMAIN. */
async function ask(resolver: DnsAddress, name: string): Promise<Message | undefined> {
  const question = { name, type: DSYNC, flags: RECURSION_DESIRED };
  const message = (await sendQuestion(resolver, question, ANSWER_WITHIN_MS))?.message;
  const rcode = (message?.flags ?? 0) & RCODE_BITS;
  return rcode === 0 || rcode === NXDOMAIN ? message : undefined;
}

/** Returns the first target that accepts NOTIFY(CDS). */
function targetOf(answer: Message | undefined): Target | undefined {
  for (const { type, rdata } of answer?.answers ?? []) {
    const target = type === typeNumber(DSYNC) ? readTarget(Buffer.from(rdata)) : undefined;
    if (target !== undefined) return target;
  }
  return undefined;
}

/** Returns undefined if the record is of another kind or has no target. */
function readTarget(rdata: Buffer): Target | undefined {
  if (rdata.length <= FIXED_OCTETS) return undefined;
  if (rdata.readUInt16BE(0) !== RR_TYPE.CDS || rdata[2] !== NOTIFY_SCHEME) return undefined;
  const port = rdata.readUInt16BE(3);
  const name = readName(rdata.subarray(FIXED_OCTETS));
  return port === 0 || name === undefined || name === '.' ? undefined : { name, port };
}

/** Returns undefined if the published value is not a name. */
function readName(wire: Uint8Array): string | undefined {
  try {
    return wireToName(wire);
  } catch (error) {
    if (error instanceof NameSyntaxError) return undefined;
    throw error;
  }
}

/** Returns the apex of the zone that gives a negative answer (RFC 2308, section 3). */
function apexOf({ authorities }: Message): string | undefined {
  const soa = authorities.find(({ type }) => type === RR_TYPE.SOA);
  return soa && wireToName(soa.name).toLowerCase();
}

async function addressesOf(resolver: DnsAddress, name: string): Promise<string[]> {
  for (const type of ['A', 'AAAA'] as const) {
    const answer = await queryDns(resolver, name, type, { recursive: true });
    const addresses = answer === undefined ? [] : dataOf(answer, type);
    if (addresses.length > 0) return addresses;
  }
  return [];
}
