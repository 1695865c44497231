import {
  type Database,
  type PreparedStatement,
  queryRows,
  runPrepared,
  violatedConstraint,
} from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import type { Account } from '../users/account.js';
import {
  ACCOUNT_COLUMNS,
  ACCOUNT_TABLES,
  type AccountRow,
  toAccount,
} from '../users/account-store.js';
import {
  type Tenant,
  TENANT_COLUMNS,
  TENANT_TABLES,
  type TenantRow,
  toTenant,
} from '../tenants/tenant-store.js';
import type { AccessKey, AccessKeyState, NewAccessKey, StoredStatus } from './access-key.js';
import type { RestrictionContent } from './restriction.js';

interface AccessKeyRow {
  id: string;
  user_id: string;
  account_domain_id: string;
  algorithm: string;
  key_length: number | null;
  secret_sealed: Buffer | null;
  secret_key_id: string | null;
  status: StoredStatus;
  valid_from: Date;
  valid_to: Date;
  created_at: Date;
  token_family: string;
  name: string | null;
  description: string | null;
  restriction: RestrictionContent | null;
  restriction_number: number | null;
  valid_to_text?: string;
}

interface AccessKeyFilter {
  readonly userId: string;
  readonly accountDomainId: string | undefined;
  readonly states: readonly AccessKeyState[];
  readonly now: Date;
  /** Id of the last key of the previous page. Undefined for the first page. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** Columns of a query from TABLES, without the secret. */
const COLUMNS = `
  keys.id, keys.user_id, keys.account_domain_id, keys.algorithm, keys.key_length, keys.secret_key_id, keys.status,
  keys.valid_from, keys.valid_to, keys.created_at,
  keys.token_family, keys.name, keys.description, keys.restriction, keys.restriction_number`;

/** Columns for owners and administrators. */
const SHOWN_COLUMNS = `keys.secret_sealed, ${COLUMNS},
  to_char(keys.valid_to at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as valid_to_text`;

/** State that callers see, as access-key.ts derives it. The time is a parameter. */
const STATE = `
  case when keys.status in ('active', 'inactive') and keys.valid_to <= ? then 'expired' else keys.status end`;

export async function findAccessKey(db: Database, id: string): Promise<AccessKey | undefined> {
  const { rows } = await db.raw<{ rows: AccessKeyRow[] }>(
    `select ${SHOWN_COLUMNS} from identity.access_keys as keys where keys.id = ?`,
    [id],
  );
  return rows[0] && fromRow(rows[0]);
}

/** Key with its owner's account, and the tenant of the requested scope. */
export interface AccessKeyWithOwner {
  readonly key: AccessKey;
  readonly owner: Account;
  /** Undefined if no tenant was requested or the tenant does not exist. */
  readonly tenant: Tenant | undefined;
}

type KeyOwnerTenantRow = AccessKeyRow &
  AccountRow & { [K in keyof TenantRow]: TenantRow[K] | null };

/** Row as JSON, in which times are text. */
type InJson<Row> = {
  [K in keyof Row]: Row[K] extends Date
    ? string
    : Row[K] extends Date | null
      ? string | null
      : Row[K];
};

interface FoundKey {
  readonly secret_sealed: Buffer | null;
  readonly document: InJson<KeyOwnerTenantRow>;
}

/**
 * Statement up to the condition on `keys`; $1 is the tenant. It returns one JSON document, because pg takes twice the
 * time to describe and convert thirty columns.
 */
export const KEY_WITH_OWNER = `
    select keys.secret_sealed, to_json(document) as document
      from ${ACCOUNT_TABLES} join identity.access_keys as keys on keys.user_id = users.id
      left join (${TENANT_TABLES}) on tenants.id = $1
      cross join lateral (select ${COLUMNS}, ${ACCOUNT_COLUMNS}, ${TENANT_COLUMNS}) as document`;
const FIND_WITH_OWNER = {
  name: 'find-access-key-with-owner',
  text: `${KEY_WITH_OWNER} where keys.id = $2`,
};

/** Reads everything that a login by key needs. One statement is used whether or not the login will fail. */
export async function findAccessKeyWithOwner(
  db: Database,
  id: string,
  tenantId: string | undefined,
): Promise<AccessKeyWithOwner | undefined> {
  return await readKeyWithOwner(db, FIND_WITH_OWNER, [tenantId ?? null, id]);
}

/** Runs a statement that begins with KEY_WITH_OWNER. */
export async function readKeyWithOwner(
  db: Database,
  statement: PreparedStatement,
  values: readonly (string | null)[],
): Promise<AccessKeyWithOwner | undefined> {
  const [found] = await runPrepared<FoundKey>(db, statement, values);
  if (found === undefined) return undefined;
  const row = withTimes(found);
  const tenant = row.tenant_id === null ? undefined : toTenant(row as TenantRow);
  return { key: fromRow(row), owner: toAccount(row), tenant };
}

/** Changes the document in place: it has no other user, and copying it takes longer than converting all times. */
function withTimes({ secret_sealed, document }: FoundKey): KeyOwnerTenantRow {
  const time = (text: string | null) => (text === null ? null : new Date(text));
  return Object.assign(document as object, {
    secret_sealed,
    valid_from: new Date(document.valid_from),
    valid_to: new Date(document.valid_to),
    created_at: new Date(document.created_at),
    tokens_valid_after: time(document.tokens_valid_after),
    tenant_created_at: time(document.tenant_created_at),
    tenant_updated_at: time(document.tenant_updated_at),
  }) as KeyOwnerTenantRow;
}

/** Returns a page of an owner's keys in the given states, oldest first. */
export async function listAccessKeys(db: Database, filter: AccessKeyFilter): Promise<AccessKey[]> {
  const { userId, accountDomainId = null, states, now, after = null, limit } = filter;
  const { rows } = await db.raw<{ rows: AccessKeyRow[] }>(
    `select ${SHOWN_COLUMNS} from identity.access_keys as keys
     where keys.user_id = ? and keys.account_domain_id = coalesce(?, keys.account_domain_id)
       and ${STATE} = any (?::text[])
       and (?::text is null or (keys.created_at, keys.id) >
         (select marker.created_at, marker.id from identity.access_keys as marker where marker.id = ?))
     order by keys.created_at, keys.id
     limit ?`,
    [userId, accountDomainId, now, [...states], after, after, limit],
  );
  return rows.map(fromRow);
}

/** Counts the keys of a user, separately for usable keys and for deleted keys that have not been purged. */
export async function countAccessKeys(
  db: Database,
  userId: string,
): Promise<{ readonly usable: number; readonly deleted: number }> {
  const { rows } = await db.raw<{ rows: { usable: number; deleted: number }[] }>(
    `select (count(*) filter (where keys.status not in ('deleted', 'purged')))::integer as usable,
            (count(*) filter (where keys.status = 'deleted'))::integer as deleted
     from identity.access_keys as keys where keys.user_id = ?`,
    [userId],
  );
  return rows[0] ?? { usable: 0, deleted: 0 };
}

/** Inserts all keys or none. @throws ServiceError (conflict) if an id is taken, even by a deleted key */
export async function insertAccessKeys(db: Database, keys: readonly NewAccessKey[]): Promise<void> {
  const rows = keys.map(({ secret, ...key }) => ({
    ...key,
    sealed: secret.sealed.toString('base64'),
    keyId: secret.keyId,
  }));
  const statement = queryRows<{ id: string }>(
    db,
    `insert into identity.access_keys as keys (id, user_id, account_domain_id, algorithm, key_length, secret_sealed,
       secret_key_id, status, valid_from, valid_to, created_at, name, description, restriction, restriction_number)
     select given.id, given."userId", given."accountDomainId", given.algorithm, given."keyLength",
            decode(given.sealed, 'base64'), given."keyId", given.status, given."validFrom", given."validTo",
            coalesce(given."createdAt", now()), given.name, given.description, given.restriction,
            case when given.restriction is not null then nextval('identity.restriction_numbers') end
       from jsonb_to_recordset(?::jsonb) as given (id text, "userId" text, "accountDomainId" text, algorithm text,
              "keyLength" integer, sealed text, "keyId" text, status text, "validFrom" timestamptz,
              "validTo" timestamptz, "createdAt" timestamptz, name text, description text, restriction jsonb)
     on conflict (id) do nothing returning keys.id`,
    [JSON.stringify(rows)],
  );
  const inserted = await statement.catch(refuseTakenName);
  const ids = new Set(inserted.map(({ id }) => id));
  // An id that the request contains twice was inserted only once.
  const taken = keys.find(({ id }) => !ids.delete(id));
  if (taken === undefined) return;
  throw new ServiceError('conflict', `an access key with the id "${taken.id}" already exists`, {
    details: `an access key with the id ${taken.id} already exists`,
  });
}

function refuseTakenName(error: unknown): never {
  if (violatedConstraint(error) !== 'access_keys_name') throw error;
  const details = 'the user already has an access key with this name';
  throw new ServiceError('conflict', details, { details, cause: error });
}

/** Sets the status of a key. Returns undefined if the key is revoked, deleted or purged. */
export async function updateAccessKeyStatus(
  db: Database,
  change: {
    readonly id: string;
    readonly userId: string;
    readonly status: 'active' | 'inactive';
    readonly now: Date;
  },
): Promise<AccessKey | undefined> {
  const { rows } = await db.raw<{ rows: AccessKeyRow[] }>(
    `with keys as (update identity.access_keys set status = ?
       where id = ? and user_id = ? and status in ('active', 'inactive') and valid_to > ? returning *)
     select keys.secret_sealed, ${COLUMNS} from keys`,
    [change.status, change.id, change.userId, change.now],
  );
  return rows[0] && fromRow(rows[0]);
}

/** Marks a key as deleted and erases its secret. Returns false if there is no such key. */
export async function markAccessKeyDeleted(
  db: Database,
  key: { readonly id: string; readonly userId: string; readonly now: Date },
): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `update identity.access_keys as keys
     set status = 'deleted', deleted_at = ?, secret_sealed = null, secret_key_id = null
     where keys.id = ? and keys.user_id = ? and keys.status not in ('deleted', 'purged')
     returning keys.id`,
    [key.now, key.id, key.userId],
  );
  return rows.length > 0;
}

function fromRow(row: AccessKeyRow): AccessKey {
  return {
    id: row.id,
    userId: row.user_id,
    accountDomainId: row.account_domain_id,
    algorithm: row.algorithm,
    keyLength: row.key_length ?? undefined,
    secret:
      row.secret_sealed === null || row.secret_key_id === null
        ? undefined
        : { sealed: row.secret_sealed, keyId: row.secret_key_id },
    status: row.status,
    validFrom: row.valid_from,
    validTo: row.valid_to,
    validToText: row.valid_to_text,
    createdAt: row.created_at,
    tokenFamily: row.token_family,
    name: row.name ?? undefined,
    description: row.description ?? undefined,
    restriction: row.restriction ?? undefined,
    restrictionNumber: row.restriction_number ?? undefined,
  };
}
