import {
  type Database,
  queryReturning,
  queryRow,
  queryRows,
  type SealedSecret,
} from '@zonewright/database';
import {
  allOf,
  type ListedPage,
  type Listing,
  type ListOrder,
  listPage,
  textCondition,
  type TextFilter,
} from '../rows/listing.js';
import { asTimestamp } from '../rows/statements.js';
import type { TsigKey } from './tsig-key.js';

const COLUMNS = `l.id, l.name, l.algorithm, l.scope, l.resource_id as "resourceId",
  ${asTimestamp('l.created_at')} as "createdAt", ${asTimestamp('l.updated_at')} as "updatedAt"`;

export type TsigKeySortKey = 'created_at' | 'id' | 'updated_at' | 'name';

const LISTING: Listing<TsigKeySortKey> = {
  columns: COLUMNS,
  from: 'dns.tsig_keys as l',
  id: 'l.id',
  sortColumns: {
    created_at: 'l.created_at',
    id: 'l.id',
    updated_at: `coalesce(l.updated_at, '-infinity')`,
    name: 'l.name',
  },
};

interface TsigKeyFilter {
  readonly name: TextFilter | undefined;
  readonly algorithm: TextFilter | undefined;
  readonly scope: TextFilter | undefined;
}

/** Returns undefined if the marker is not in the list. */
export async function listTsigKeys(
  db: Database,
  { name, algorithm, scope }: TsigKeyFilter,
  order: ListOrder<TsigKeySortKey>,
): Promise<ListedPage<TsigKey> | undefined> {
  const condition = allOf([
    textCondition('l.name', 'name', name),
    textCondition('l.algorithm', 'algorithm', algorithm),
    textCondition('l.scope', 'scope', scope),
  ]);
  return await listPage(db, LISTING, condition, order);
}

export async function findTsigKey(db: Database, id: string): Promise<TsigKey | undefined> {
  return await queryRow(db, `select ${COLUMNS} from dns.tsig_keys as l where l.id = ?`, [id]);
}

export async function countTsigKeys(db: Database): Promise<number> {
  const { count } = await queryReturning<{ count: number }>(
    db,
    'select count(*) as count from dns.tsig_keys',
  );
  return count;
}

type TsigKeyContent = Pick<TsigKey, 'id' | 'name' | 'algorithm' | 'scope' | 'resourceId'>;

export async function insertTsigKey(
  trx: Database,
  { id, name, algorithm, scope, resourceId }: TsigKeyContent,
  secret: SealedSecret,
): Promise<TsigKey> {
  return await queryReturning(
    trx,
    `insert into dns.tsig_keys as l (id, name, algorithm, scope, resource_id, secret_sealed, secret_key_id)
     values (?, ?, ?, ?, ?, ?, ?) returning ${COLUMNS}`,
    [id, name, algorithm, scope, resourceId, secret.sealed, secret.keyId],
  );
}

/** Updates a key. Without a secret, the stored one is kept. */
export async function updateTsigKey(
  trx: Database,
  { id, name, algorithm, scope, resourceId }: TsigKeyContent,
  secret: SealedSecret | undefined,
): Promise<TsigKey> {
  return await queryReturning(
    trx,
    `update dns.tsig_keys as l
        set name = ?, algorithm = ?, scope = ?, resource_id = ?, updated_at = clock_timestamp(),
            secret_sealed = coalesce(cast(? as bytea), l.secret_sealed),
            secret_key_id = coalesce(cast(? as text), l.secret_key_id)
      where l.id = ? returning ${COLUMNS}`,
    [name, algorithm, scope, resourceId, secret?.sealed ?? null, secret?.keyId ?? null, id],
  );
}

/** Returns false if there is no such key. */
export async function deleteTsigKey(trx: Database, id: string): Promise<boolean> {
  const rows = await queryRows(
    trx,
    'delete from dns.tsig_keys as l where l.id = ? returning l.id',
    [id],
  );
  return rows.length > 0;
}
