import { BATCH_ROWS, type Database, type RetentionRule } from '@zonewright/database';

const EVERY_MS = 15 * 60 * 1_000;
/** Whoever repeats a request because the answer was lost has done so by then. */
const LEAST_AGE_MS = 60 * 60 * 1_000;

/** About what an answer takes on disk, with its row and its indexes. */
const OCTETS = '(400 + pg_column_size(k.headers) + pg_column_size(k.body))';

/** Answers that are kept for an Idempotency-Key go when they are old, or when their tenant has got many others since. */
export function keptAnswers(limits: {
  readonly keptMs: number;
  /** Of a tenant. */
  readonly maxOctets: number;
}): RetentionRule {
  const { keptMs, maxOctets } = limits;
  // Read once in a run: that looks at all answers there are.
  let tenants: string[] | undefined;
  return {
    kind: 'idempotency-keys',
    everyMs: EVERY_MS,
    keptMs,
    oldest: 'select min(k.created_at) as oldest from dns.idempotency_keys as k',
    removeBatch: async (trx, now) => {
      const old = await removeOld(trx, new Date(now.getTime() - keptMs));
      if (old > 0) return { removed: old, isDone: false };
      tenants ??= await listLargeTenants(trx, maxOctets);
      const [tenantId] = tenants;
      if (tenantId === undefined) {
        tenants = undefined;
        return { removed: 0, isDone: true };
      }
      const settled = new Date(now.getTime() - LEAST_AGE_MS);
      const removed = await removeOver(trx, { tenantId, maxOctets, settled });
      if (removed === 0) tenants = tenants.slice(1);
      return { removed, isDone: false };
    },
  };
}

async function removeOld(trx: Database, before: Date): Promise<number> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `delete from dns.idempotency_keys as k using
            (select i.tenant_id, i.idempotency_key from dns.idempotency_keys as i
              where i.created_at < :before order by i.created_at limit :limit for update skip locked) as old
      where k.tenant_id = old.tenant_id and k.idempotency_key = old.idempotency_key
     returning k.created_at`,
    { before, limit: BATCH_ROWS },
  );
  return rows.length;
}

async function listLargeTenants(trx: Database, maxOctets: number): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { tenantId: string }[] }>(
    `select k.tenant_id as "tenantId" from dns.idempotency_keys as k
      group by k.tenant_id having sum(${OCTETS}) > :maxOctets`,
    { maxOctets },
  );
  return rows.map(({ tenantId }) => tenantId);
}

/** The oldest first. */
async function removeOver(
  trx: Database,
  parts: { readonly tenantId: string; readonly maxOctets: number; readonly settled: Date },
): Promise<number> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `with answers as (
       select k.idempotency_key, k.created_at,
              sum(${OCTETS}) over (order by k.created_at desc, k.idempotency_key) as octets
         from dns.idempotency_keys as k where k.tenant_id = :tenantId
     ), over as (
       select a.idempotency_key from answers as a
        where a.octets > :maxOctets and a.created_at < :settled
        order by a.created_at limit :limit
     )
     delete from dns.idempotency_keys as k using over
      where k.tenant_id = :tenantId and k.idempotency_key = over.idempotency_key
     returning k.created_at`,
    { ...parts, limit: BATCH_ROWS },
  );
  return rows.length;
}
