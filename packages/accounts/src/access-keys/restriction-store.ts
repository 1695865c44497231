import { type Database, queryRow } from '@zonewright/database';
import type { RestrictionContent } from './restriction.js';

/** The restrictions of a key. They never change, and end with it. */
export interface Restriction extends RestrictionContent {
  /** What tokens name them by. */
  readonly number: number;
  readonly accessKeyId: string;
  /** The key's name; its id where it has none. */
  readonly accessKeyName: string;
}

/** What a token is restricted to, by the number that it names. */
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

/** That of a key that was read from its row. */
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
