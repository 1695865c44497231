import type { Database, SealedSecret } from '@zonewright/database';
import { queryReturning, queryRow, queryRows } from '../sql/query.js';

/** As the API shows it: "expired" follows from validTo and is not stored. */
export type AccessKeyStatus = 'active' | 'inactive' | 'expired' | 'revoked' | 'deleted' | 'purged';

/** An access key without its secret. */
export interface AccessKey {
  readonly id: string;
  readonly userId: string;
  readonly userName: string;
  readonly accountDomainId: string;
  readonly algorithm: string;
  readonly keyLength: number | null;
  readonly status: AccessKeyStatus;
  readonly validFrom: Date;
  readonly validTo: Date;
  readonly createdAt: Date;
}

const SELECT = `select k.id, k.user_id as "userId", u.name as "userName",
    k.account_domain_id as "accountDomainId", k.algorithm, k.key_length as "keyLength",
    case when k.status in ('active', 'inactive') and k.valid_to <= now() then 'expired' else k.status end as status,
    k.valid_from as "validFrom", k.valid_to as "validTo", k.created_at as "createdAt"
  from identity.access_keys as k
  join identity.users as u on u.id = k.user_id`;

interface NewAccessKey {
  readonly id: string;
  readonly userId: string;
  readonly accountDomainId: string;
  readonly algorithm: string;
  readonly keyLength: number | null;
  readonly status: 'active' | 'inactive';
  readonly validFrom: Date;
  readonly validTo: Date;
  readonly secret: SealedSecret;
}

export async function insertAccessKey(db: Database, key: NewAccessKey): Promise<void> {
  await db.raw(
    `insert into identity.access_keys (id, user_id, account_domain_id, algorithm, key_length, status,
       valid_from, valid_to, secret_sealed, secret_key_id)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      key.id,
      key.userId,
      key.accountDomainId,
      key.algorithm,
      key.keyLength,
      key.status,
      key.validFrom,
      key.validTo,
      key.secret.sealed,
      key.secret.keyId,
    ] as string[],
  );
}

export async function findAccessKey(db: Database, id: string): Promise<AccessKey | undefined> {
  return await queryRow<AccessKey>(db, `${SELECT} where k.id = ?`, [id]);
}

/** The keys of a user, or all. */
export async function listAccessKeys(
  db: Database,
  userId: string | undefined,
): Promise<AccessKey[]> {
  return await queryRows<AccessKey>(
    db,
    `${SELECT} where ?::text is null or k.user_id = ? order by u.name, k.created_at, k.id`,
    [userId ?? null, userId ?? null],
  );
}

/** Ids of the keys with which a user's programs can log in, now or later. */
export async function listActiveAccessKeyIds(db: Database, userId: string): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    `select k.id from identity.access_keys as k
      where k.user_id = ? and k.status = 'active' and k.valid_to > now() order by k.id`,
    [userId],
  );
  return rows.map((row) => row.id);
}

/** Their tokens end with that (migration 0008). @returns the ids. */
export async function deactivateAccessKeys(db: Database, userId: string): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    `update identity.access_keys as k set status = 'inactive'
      where k.user_id = ? and k.status = 'active' returning k.id`,
    [userId],
  );
  return rows.map((row) => row.id).sort();
}

/** The secret of a key that has one. */
export async function findSealedSecret(
  db: Database,
  id: string,
): Promise<SealedSecret | undefined> {
  return await queryRow<SealedSecret>(
    db,
    `select k.secret_key_id as "keyId", k.secret_sealed as sealed
       from identity.access_keys as k where k.id = ? and k.secret_sealed is not null`,
    [id],
  );
}

/** Ends a key and erases its secret: nothing needs it any more. */
export async function revokeAccessKeyRow(db: Database, id: string): Promise<void> {
  await queryReturning(
    db,
    `update identity.access_keys as k
        set status = 'revoked', secret_sealed = null, secret_key_id = null
      where k.id = ? returning k.id`,
    [id],
  );
}

/** Marks as purged what was deleted before `before`. @returns their ids. */
export async function purgeDeletedAccessKeys(db: Database, before: Date): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    `update identity.access_keys as k set status = 'purged'
      where k.status = 'deleted' and k.deleted_at < ? returning k.id`,
    [before],
  );
  return rows.map((row) => row.id).sort();
}
