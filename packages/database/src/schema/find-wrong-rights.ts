import { type Database, DATABASE_ROLES } from '../connection/connection.js';
import { EXPECTED_RIGHTS } from './expected-rights.js';

/** A right that a role has but should not have, or the reverse. */
export interface WrongRight {
  readonly role: string;
  readonly table: string;
  readonly privilege: string;
  readonly isMissing: boolean;
}

const PRIVILEGES = { s: 'SELECT', i: 'INSERT', u: 'UPDATE', d: 'DELETE' } as const;

/**
 * Finds the rights that the roles of this database have and should not have, and those that they need and lack. Roles
 * that do not exist lack everything. Tables that do not exist are left out: migrations report them.
 */
export async function findWrongRights(db: Database): Promise<WrongRight[]> {
  const { rows } = await db.raw<{
    rows: { role: string; table: string; letter: keyof typeof PRIVILEGES; has: boolean }[];
  }>(
    `select w.role, w.table, w.letter,
            coalesce((has_table_privilege(r.oid, c.oid, w.privilege)
                      or w.letter = 's' and has_any_column_privilege(r.oid, c.oid, w.privilege))
                     and has_schema_privilege(r.oid, c.relnamespace, 'USAGE'), false) as has
       from jsonb_to_recordset(?::jsonb) as w (role text, "table" text, letter text, privilege text)
       join pg_class as c on c.oid = to_regclass(w.table)
       left join pg_roles as r on r.rolname = w.role
      order by w.table, w.role, w.letter`,
    [JSON.stringify(questions())],
  );
  return rows.flatMap(({ role, table, letter, has }) => {
    const rights = EXPECTED_RIGHTS[table]?.[role as keyof (typeof EXPECTED_RIGHTS)[string]] ?? '';
    if (rights.includes(letter) === has) return [];
    return [{ role, table, privilege: PRIVILEGES[letter], isMissing: !has }];
  });
}

function questions() {
  return Object.keys(EXPECTED_RIGHTS).flatMap((table) =>
    Object.values(DATABASE_ROLES).flatMap((role) =>
      Object.entries(PRIVILEGES).map(([letter, privilege]) => ({ role, table, letter, privilege })),
    ),
  );
}
