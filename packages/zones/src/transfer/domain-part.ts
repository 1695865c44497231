import type { RecordFlags } from '../rows/record-flags.js';

/** A domain as an exported account has it (docs/account-export.schema.json). Times are RFC 3339 in UTC. */
export interface DomainPart {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  readonly email: string;
  readonly ttl: number;
  readonly description: string | null;
  readonly serial?: number;
  readonly version?: number;
  readonly createdAt?: string;
  readonly updatedAt?: string | null;
  readonly records: readonly RecordPart[];
}

export interface RecordPart {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly ttl?: number | null;
  readonly priority?: number | null;
  readonly description?: string | null;
  /** Missing if no flag is set. */
  readonly flags?: RecordFlags;
  readonly version?: number;
  readonly createdAt?: string;
  readonly updatedAt?: string | null;
}
