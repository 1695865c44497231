import { type Database, queryRow, queryRows } from '@zonewright/database';
import { invalidRequest } from '../shared/problems.js';

/** Members that clients of Keystone store with an object, and that have no meaning here. */
export type Extra = Readonly<Record<string, unknown>>;

type ExtraTable = 'users' | 'tenants' | 'roles';

const MAX_MEMBERS = 32;
const MAX_NAME_LENGTH = 64;
/** Maximum size of all members of an object as JSON. */
const MAX_BYTES = 4_096;

/** Returns the extra members of these objects. Objects without any are missing from the map. */
export async function listExtras(
  db: Database,
  table: ExtraTable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Extra>> {
  const rows = await queryRows<{ id: string; extra: Extra }>(
    db,
    `select t.id, t.extra from identity.${table} as t where t.id = any(?::text[]) and t.extra is not null`,
    [ids],
  );
  return new Map(rows.map(({ id, extra }) => [id, extra]));
}

/** Sets the given members of an object. Null removes a member. @throws ServiceError invalid */
export async function changeExtra(
  trx: Database,
  table: ExtraTable,
  id: string,
  change: Extra | undefined,
): Promise<void> {
  if (change === undefined) return;
  const stored = await queryRow<{ extra: Extra | null }>(
    trx,
    `select t.extra from identity.${table} as t where t.id = ? for no key update`,
    [id],
  );
  const members = Object.entries({ ...stored?.extra, ...change });
  const kept = Object.fromEntries(members.filter(([, value]) => value !== null));
  checkExtra(kept);
  const text = Object.keys(kept).length === 0 ? null : JSON.stringify(kept);
  await trx.raw(`update identity.${table} set extra = ?::jsonb where id = ?`, [text as string, id]);
}

function checkExtra(extra: Extra): void {
  const names = Object.keys(extra);
  const isTooLong = names.some((name) => name === '' || Array.from(name).length > MAX_NAME_LENGTH);
  const bytes = Buffer.byteLength(JSON.stringify(extra));
  if (names.length <= MAX_MEMBERS && !isTooLong && bytes <= MAX_BYTES) return;
  throw invalidRequest(
    `an object can have at most ${MAX_MEMBERS} members of your own, with names of 1 to ${MAX_NAME_LENGTH} characters and ${MAX_BYTES} bytes of JSON in all`,
  );
}
