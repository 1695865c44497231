/**
 * A moment as the API shows it (D-ZONE-19): `2026-11-21T01:02:03.123456`, UTC, no zone. Kept as
 * text throughout, since a Date would lose the microseconds that order lists.
 */
export type Timestamp = string;

/** SQL that gives a timestamptz column as a Timestamp. */
export function asTimestamp(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;
}
