import { type Database, queryRow } from '@zonewright/database';
import type { RestrictionContent } from './restriction.js';

/** Restriction of a key. It never changes, and is deleted with the key. */
export interface Restriction extends RestrictionContent {
  /** Number by which tokens refer to it. */
  readonly number: number;
  readonly accessKeyId: string;
  /** Name of the key, or its id if it has no name. */
  readonly accessKeyName: string;
}

/** Finds the restriction of a token by the number in the token. */
export async function findRestriction(
  db: Database,
  number: number,
): Promise<Restriction | undefined> {
  const key = await queryRow<{ id: string; name: string | null; restriction: RestrictionContent }>(
    db,
    `select keys.id, keys.name, keys.restriction
       from identity.access_keys as keys where keys.restriction_number = ?`,
    [number],
  );
  return key && restrictionOf({ ...key, restrictionNumber: number });
}

/** Returns the restriction of a key that was read from its row. */
export function restrictionOf(key: {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly restriction?: RestrictionContent | undefined;
  readonly restrictionNumber?: number | undefined;
}): Restriction | undefined {
  const { id, name, restriction, restrictionNumber } = key;
  if (restriction === undefined || restrictionNumber === undefined) return undefined;
  return {
    ...restriction,
    number: restrictionNumber,
    accessKeyId: id,
    accessKeyName: name ?? id,
  };
}
