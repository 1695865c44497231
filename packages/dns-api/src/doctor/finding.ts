import type { Database } from '@zonewright/database';
import type { Fix } from '@zonewright/dns-records/advice';
import type { NameserverStatus, Secondary, Zone } from '@zonewright/zones';
import type { DnsAddress } from '@zonewright/service-kit';

/**
 * Severity of a finding. `error` means that the domain, or a part of it, does not work for many users. `warning`
 * means that it fails for some, or will fail soon. `info` is for information only.
 */
export type Severity = 'error' | 'warning' | 'info';

/** A result of the check of a domain. */
export interface Finding {
  readonly severity: Severity;
  /** A stable code for programs; the other texts are for people. */
  readonly code: string;
  readonly message: string;
  /** Action that the user should take. */
  readonly action: string;
  /** Records to change, if there are any. */
  readonly about?: RecordsFound;
  /** Records that resolve the finding. Undefined if only the user knows them. */
  readonly fix?: Fix;
}

/** Records of a name and type, with their targets if they have any, or the data of a single record. */
interface RecordsFound {
  readonly name: string;
  readonly type: string;
  readonly target?: string;
  readonly data?: string;
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
  /** The response of each nameserver of this service. */
  'nameservers',
  'delegation',
  /** The delegation from the parent. */
  'nameserver-addresses',
  'glue',
  /** Targets of records in domains of this service. */
  'targets',
  /** Targets of records in other domains. */
  'targets-elsewhere',
  'ttls',
  /** The content of records, such as SPF and CAA. */
  'records',
  /** SPF records of others, which those in the domain include. */
  'spf-includes',
] as const;

export type Part = (typeof PARTS)[number];

/** Findings, and the parts that were not checked completely. */
export interface PartResult {
  readonly findings: readonly Finding[];
  readonly notChecked: readonly Part[];
}

/** Combines several results. */
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
  /** Undefined if the zone is not a secondary one. */
  readonly secondary: Secondary | undefined;
  readonly servers: readonly NameserverStatus[];
  /** Undefined if no resolver is configured. */
  readonly resolver: DnsAddress | undefined;
  /** Addresses to use instead of those of the nameservers, by nameserver name. */
  readonly nameserverAddresses: ReadonlyMap<string, DnsAddress>;
}

/** Response of a nameserver about the domain. */
export interface NameserverAnswer {
  readonly name: string;
  /** `host:port`; null if the nameserver has no address. */
  readonly address: string | null;
  /** An RCODE, or `no answer`. */
  readonly status: string;
  readonly serial: number | null;
}

export interface ExaminationResult {
  readonly zone: Zone;
  readonly checkedAt: Date;
  readonly findings: readonly Finding[];
  /** Parts that were not checked completely. */
  readonly notChecked: ReadonlySet<Part>;
  readonly nameservers: readonly NameserverAnswer[];
  readonly secondary: Secondary | undefined;
}
