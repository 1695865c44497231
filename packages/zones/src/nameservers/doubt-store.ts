import { CHANNELS, type Database } from '@zonewright/database';
import { queryReturning, queryRows } from '@zonewright/database';

/** A nameserver that does not believe this database (ADR 0020). */
interface Doubt {
  readonly name: string;
  readonly doubt: string;
  /** The database whose zones it answers; null: one without an identity. */
  readonly databaseId: string | null;
}

/** Maximum age of a report. A nameserver may be restarting; an old report no longer counts. */
const SAID_WITHIN = "interval '1 hour'";

export async function listIdentityMismatches(db: Database): Promise<Doubt[]> {
  return await queryRows<Doubt>(
    db,
    `select s.name, s.doubt, s.database_id as "databaseId" from dns.nameserver_status as s
      where s.doubt is not null and s.heartbeat_at > now() - ${SAID_WITHIN} order by s.name`,
  );
}

/**
 * Tells nameservers to trust this database in place of a given one, and wakes them when the transaction commits.
 *
 * @returns the id of this database
 */
export async function acceptDatabase(
  trx: Database,
  insteadOf: readonly string[],
): Promise<{ id: string; acceptedAt: Date }> {
  const accepted = await queryReturning<{ id: string; acceptedAt: Date }>(
    trx,
    `insert into dns.database_identity as i (acceptance, accepted_at, instead_of)
     values (gen_random_uuid(), now(), ?::uuid[])
     on conflict (is_only) do update
        set acceptance = excluded.acceptance, accepted_at = excluded.accepted_at, instead_of = excluded.instead_of
     returning i.id, i.accepted_at as "acceptedAt"`,
    [[...insteadOf]],
  );
  await trx.raw('select pg_notify(?, ?)', [CHANNELS.dns, 'accepted']);
  return accepted;
}
