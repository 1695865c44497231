import type { Timestamp } from '../rows/statements.js';
import type { Secondary } from './secondary.js';

/** Advice for the owner of a zone whose primaries send nothing that can be read. */
const UNREAD = {
  unreachable:
    'Allow TCP connections from the addresses of this service to the port of the primary.',
  'not-public': 'Set public addresses for the primaries; this service queries no others.',
  'error-response':
    'Allow transfers of the zone to this service at the primary. Compare the name, algorithm and secret of the key, and the clocks.',
  signature:
    'Compare the name, algorithm and secret of the key with those at the primary, and the clocks.',
  'not-authoritative': 'Load the zone at the primary: it is missing there or has expired.',
  malformed:
    'Request the whole zone again. If the error repeats, update the software of the primary.',
  key: 'Nothing can be done at the primary. Ask the operator of this service about the key.',
  internal: 'Nothing can be done at the primary. Ask the operator of this service.',
} as const;

/**
 * Changes at the primary after which this service accepts a zone that it rejects
 * (docs/reference/transferred-zones.md).
 */
const REFUSED = {
  soa: 'Give the zone one SOA record, at its apex.',
  ns: 'Add NS records at the apex of the zone.',
  'class-or-type':
    'Remove records of classes other than IN, and of types that are allowed only in queries or messages.',
  'outside-zone': 'Remove the records whose names are outside the zone.',
  rdata: 'Correct the data of the record, or remove the record.',
  'wildcard-ns': 'Remove the NS records at the wildcard name (RFC 4592 section 4.2).',
  cname: 'Remove the CNAME record, or the other records of its name.',
  dname: 'Keep only one DNAME record at the name.',
  'nsec3-iterations': 'Sign the zone with 0 iterations and an empty salt (RFC 9276 section 3.1).',
  'nsec3-algorithm': 'Sign the zone with the hash algorithm 1 (SHA-1), or with NSEC.',
  'too-large':
    'Remove records at the primary, or ask the operator of this service for a higher limit.',
  'old-nameservers':
    'Nothing can be done at the primary. The zone is accepted as soon as the operator has upgraded all nameservers.',
} as const;

/** Stable code for programs. */
export type FaultReason = keyof typeof UNREAD | keyof typeof REFUSED;

const ACTIONS: Readonly<Record<FaultReason, string>> = { ...UNREAD, ...REFUSED };

export const FAULT_REASONS = Object.keys(ACTIONS) as readonly FaultReason[];

/** A later version of this program may have stored a reason that is unknown here. */
function toFaultReason(text: string | null): FaultReason | null {
  return FAULT_REASONS.find((each) => each === text) ?? null;
}

/** Whether the content of the zone is the reason. Another attempt then succeeds only after a change at the primary. */
export function isRefusal(reason: FaultReason | null): boolean {
  return reason !== null && reason in REFUSED;
}

function actionFor(reason: FaultReason): string {
  return ACTIONS[reason];
}

/** Error of a primary, as a sentence for the tenant without a full stop. */
export class TransferFault extends Error {
  override readonly name = 'TransferFault';
  readonly reason: FaultReason;

  constructor(reason: FaultReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * Combines the errors of all primaries of a zone. The rejection of a version is more useful than the report that others
 * are unreachable.
 */
export function joinFaults(faults: readonly (readonly [address: string, TransferFault])[]) {
  const reasons = faults.map(([, { reason }]) => reason);
  const reason = reasons.find(isRefusal) ?? reasons[0] ?? 'internal';
  const message = faults.map(([address, fault]) => `${address}: ${fault.message}`).join('; ');
  return new TransferFault(reason, message);
}

/** Content that nameservers serve for a secondary zone. For `expired` and `none`, the answer is SERVFAIL. */
export const SERVED_CONTENTS = ['latest', 'stale', 'expired', 'none'] as const;

/** State of a zone's transfers, and what to do. */
export interface TransferState {
  readonly content: (typeof SERVED_CONTENTS)[number];
  /** These three members are null while there is no problem. */
  readonly reason: FaultReason | null;
  readonly problem: string | null;
  readonly action: string | null;
  /** Time at which a primary last confirmed the served content. */
  readonly refreshedAt: Timestamp | null;
}

type Numbers = Pick<Secondary, 'state' | 'problem' | 'reason' | 'transferredAt' | 'refreshedAt'>;

export function transferStateOf(secondary: Numbers): TransferState {
  const { problem, refreshedAt } = secondary;
  const reason = toFaultReason(secondary.reason);
  return {
    content: contentOf(secondary),
    reason,
    problem,
    action: reason === null ? null : actionFor(reason),
    refreshedAt,
  };
}

function contentOf({ state, problem, transferredAt }: Numbers): TransferState['content'] {
  if (state === 'answered') return problem === null ? 'latest' : 'stale';
  return transferredAt === null ? 'none' : 'expired';
}
