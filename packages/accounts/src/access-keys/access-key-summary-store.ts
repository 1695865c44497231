import { type Database, queryReturning, queryRow, queryRows } from '@zonewright/database';
import type { AccessKeyState } from './access-key.js';
import type { RestrictionContent } from './restriction.js';

/** Access key as operators see it: with its owner's name, without its secret. */
export interface AccessKeySummary {
  readonly id: string;
  readonly userId: string;
  readonly userName: string;
  readonly accountDomainId: string;
  readonly algorithm: string;
  readonly keyLength: number | null;
  readonly status: AccessKeyState;
  readonly validFrom: Date;
  readonly validTo: Date;
  readonly createdAt: Date;
  readonly name: string | null;
  readonly restriction: RestrictionContent | null;
  /** Rounded to the minute. Null if no use of the key has been recorded. */
  readonly lastUsedAt: Date | null;
}

const SELECT = `select k.id, k.user_id as "userId", u.name as "userName",
    k.account_domain_id as "accountDomainId", k.algorithm, k.key_length as "keyLength",
    case when k.status in ('active', 'inactive') and k.valid_to <= now() then 'expired' else k.status end as status,
    k.valid_from as "validFrom", k.valid_to as "validTo", k.created_at as "createdAt",
    k.name, k.restriction, uses.last_used_at as "lastUsedAt"
  from identity.access_keys as k
  join identity.users as u on u.id = k.user_id
  left join identity.access_key_uses as uses on uses.access_key_id = k.id`;

export async function findAccessKeySummary(
  db: Database,
  id: string,
): Promise<AccessKeySummary | undefined> {
  return await queryRow<AccessKeySummary>(db, `${SELECT} where k.id = ?`, [id]);
}

/** Lists the keys of a user, or all keys. */
export async function listAccessKeySummaries(
  db: Database,
  userId: string | undefined,
): Promise<AccessKeySummary[]> {
  return await queryRows<AccessKeySummary>(
    db,
    `${SELECT} where ?::text is null or k.user_id = ? order by u.name, k.created_at, k.id`,
    [userId ?? null, userId ?? null],
  );
}

/** Lists the ids of keys with which a user's programs can log in, now or later. */
export async function listActiveAccessKeyIds(db: Database, userId: string): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    `select k.id from identity.access_keys as k
      where k.user_id = ? and k.status = 'active' and k.valid_to > now() order by k.id`,
    [userId],
  );
  return rows.map((row) => row.id);
}

/** Deactivates the keys, which invalidates their tokens. @returns the ids */
export async function deactivateAccessKeys(db: Database, userId: string): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    `update identity.access_keys as k set status = 'inactive'
      where k.user_id = ? and k.status = 'active' returning k.id`,
    [userId],
  );
  return rows.map((row) => row.id).sort();
}

/** Revokes a key and erases its secret, which is no longer needed. */
export async function revokeAccessKeyRow(db: Database, id: string): Promise<void> {
  await queryReturning(
    db,
    `update identity.access_keys as k
        set status = 'revoked', secret_sealed = null, secret_key_id = null
      where k.id = ? returning k.id`,
    [id],
  );
}

/** Marks as purged the keys that were deleted before `before`. @returns their ids */
export async function purgeDeletedAccessKeys(db: Database, before: Date): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    `update identity.access_keys as k set status = 'purged'
      where k.status = 'deleted' and k.deleted_at < ? returning k.id`,
    [before],
  );
  return rows.map((row) => row.id).sort();
}
