import {
  BATCH_ROWS,
  byAge,
  type Database,
  type RemovedBatch,
  type RetentionRule,
} from '@zonewright/database';

const EVERY_MS = 15 * 60 * 1_000;
/** Minimum age at which a response above the limit is removed. Clients have repeated a lost request by then. */
const LEAST_AGE_MS = 60 * 60 * 1_000;

/** SQL for the approximate size of a response on disk, with its row and its indexes. */
const OCTETS = '(400 + pg_column_size(k.headers) + pg_column_size(k.body))';

/** Responses of a tenant above its limit. */
interface Surplus {
  readonly tenantId: string;
  /** Time of the newest response to remove. It is text, since a Date has no microseconds. */
  readonly newest: string;
}

/** Removes responses stored for an Idempotency-Key if they are old, or if their tenant has many newer ones. */
export function storedResponses(limits: {
  readonly keptMs: number;
  /** Limit for each tenant. */
  readonly maxOctets: number;
}): RetentionRule {
  const old = oldAnswers(limits.keptMs);
  // The surpluses are read once in a run, since the query reads all responses.
  let surpluses: Surplus[] | undefined;
  return {
    ...old,
    removeBatch: async (trx, now) => {
      const removed = await old.removeBatch(trx, now);
      if (!removed.isDone || removed.removed > 0) return { ...removed, isDone: false };
      const settled = new Date(now.getTime() - LEAST_AGE_MS);
      surpluses ??= await listSurpluses(trx, limits.maxOctets, settled);
      const [surplus] = surpluses;
      if (surplus === undefined) {
        surpluses = undefined;
        return removed;
      }
      const batch = await removeSurplus(trx, surplus);
      if (batch.isDone) surpluses = surpluses.slice(1);
      return { ...batch, isDone: false };
    },
  };
}

function oldAnswers(keptMs: number): RetentionRule {
  return byAge({
    kind: 'idempotency-keys',
    everyMs: EVERY_MS,
    keptMs,
    oldest: 'select min(k.created_at) as oldest from dns.idempotency_keys as k',
    remove: `
      delete from dns.idempotency_keys as k using
             (select i.tenant_id, i.idempotency_key from dns.idempotency_keys as i
               where i.created_at < :before order by i.created_at limit :limit for update skip locked) as old
       where k.tenant_id = old.tenant_id and k.idempotency_key = old.idempotency_key
      returning k.created_at`,
  });
}

/**
 * Adds up the responses of tenants with too many, newest first. Older ones above the limit are removed, unless they are
 * too new.
 */
async function listSurpluses(trx: Database, maxOctets: number, settled: Date): Promise<Surplus[]> {
  const { rows } = await trx.raw<{ rows: Surplus[] }>(
    `select a.tenant_id as "tenantId", max(a.created_at)::text as newest
       from (select k.tenant_id, k.created_at,
                    sum(${OCTETS}) over (partition by k.tenant_id order by k.created_at desc, k.idempotency_key) as octets
               from dns.idempotency_keys as k
              where k.tenant_id in (select k.tenant_id from dns.idempotency_keys as k
                                     group by k.tenant_id having sum(${OCTETS}) > :maxOctets)) as a
      where a.octets > :maxOctets and a.created_at < :settled
      group by a.tenant_id`,
    { maxOctets, settled },
  );
  return rows;
}

async function removeSurplus(trx: Database, { tenantId, newest }: Surplus): Promise<RemovedBatch> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `delete from dns.idempotency_keys as k using
            (select i.idempotency_key from dns.idempotency_keys as i
              where i.tenant_id = :tenantId and i.created_at <= cast(:newest as timestamptz)
              order by i.created_at limit :limit) as old
      where k.tenant_id = :tenantId and k.idempotency_key = old.idempotency_key
     returning k.created_at`,
    { tenantId, newest, limit: BATCH_ROWS },
  );
  return { removed: rows.length, isDone: rows.length < BATCH_ROWS };
}
