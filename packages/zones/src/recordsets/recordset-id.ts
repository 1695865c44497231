import { createHash } from 'node:crypto';

/** Key of a recordset in a zone: name and type of its records. */
export interface RecordsetKey {
  /** Canonical, with trailing dot. */
  readonly name: string;
  readonly type: string;
}

/** The id of a recordset, as the function dns.recordset_id computes it from a row (RFC 9562 s5.8). */
export function recordsetId(zoneId: string, { name, type }: RecordsetKey): string {
  const hash = createHash('sha256')
    .update(Buffer.from(zoneId.replaceAll('-', ''), 'hex'))
    .update(`${name} ${type}`)
    .digest('hex');
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  return parts.join('-');
}
