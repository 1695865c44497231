import type { Database } from '@zonewright/database';
import type { NameserverStatus, Zone } from '@zonewright/zones';
import type { DnsAddress } from '@zonewright/service-kit';

/** `error`: the domain, or a part of it, does not work for many; `warning`: for some, or soon; `info`: good to know. */
export type Severity = 'error' | 'warning' | 'info';

/** One thing that was found out about a domain. */
export interface Finding {
  readonly severity: Severity;
  /** Stays the same for programs; the rest is for people. */
  readonly code: string;
  readonly message: string;
  /** Action that the user should take. */
  readonly action: string;
  /** The records that a change would mend, where there are such. */
  readonly about?: RecordsFound;
}

/** Records of a name and type; of those that lead somewhere, where to. */
interface RecordsFound {
  readonly name: string;
  readonly type: string;
  readonly target?: string;
}

export function finding(
  severity: Severity,
  code: string,
  message: string,
  action: string,
): Finding {
  return { severity, code, message, action };
}

/** Parts of a check of a domain. */
export const PARTS = [
  /** Each nameserver of this service, by a question of its own. */
  'nameservers',
  'delegation',
  /** Whether resolvers find the nameservers. */
  'nameserver-addresses',
  'glue',
  /** Names that records lead to, in domains of this service. */
  'targets',
  /** The same in domains elsewhere. */
  'targets-elsewhere',
  'ttls',
] as const;

export type Part = (typeof PARTS)[number];

/** Findings, and the parts that were not checked, or not completely. */
export interface PartResult {
  readonly findings: readonly Finding[];
  readonly notChecked: readonly Part[];
}

/** Several results as one. */
export function joinResults(results: readonly PartResult[]): PartResult {
  return {
    findings: results.flatMap(({ findings }) => findings),
    notChecked: results.flatMap(({ notChecked }) => notChecked),
  };
}

/** Context of every check of a domain. */
export interface Examination {
  readonly db: Database;
  readonly zone: Zone;
  readonly servers: readonly NameserverStatus[];
  /** Undefined: none is configured. */
  readonly resolver: DnsAddress | undefined;
  /** Where to ask nameservers instead of at their addresses, by their names. */
  readonly nameserverAddresses: ReadonlyMap<string, DnsAddress>;
}

/** Response of a nameserver about the domain. */
export interface NameserverAnswer {
  readonly name: string;
  /** `host:port`; null: it has no address to ask at. */
  readonly address: string | null;
  /** An RCODE, or `no answer`. */
  readonly status: string;
  readonly serial: number | null;
}

export interface ExaminationResult {
  readonly zone: Zone;
  readonly checkedAt: Date;
  readonly findings: readonly Finding[];
  /** Parts that were not checked, or not completely. */
  readonly notChecked: ReadonlySet<Part>;
  readonly nameservers: readonly NameserverAnswer[];
}
