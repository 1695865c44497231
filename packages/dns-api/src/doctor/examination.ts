import type { Database } from '@zonewright/database';
import type { NameserverStatus, Zone } from '@zonewright/zones';
import type { DnsAddress } from '../settings/address-settings.js';
import type { Finding } from './finding.js';
import type { Part } from './parts.js';

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
