import { announceZoneChange, type Database } from '@zonewright/database';
import { queryRow } from '@zonewright/database';

/** The domain that contains the names of the nameservers. */
export interface NameserverDomain {
  /** Canonical, with trailing dot. */
  readonly name: string;
  readonly email: string;
  readonly serial: number;
}

const COLUMNS = 'n.name, n.email, n.serial';

export async function findNameserverDomain(db: Database): Promise<NameserverDomain | undefined> {
  return await queryRow<NameserverDomain>(db, `select ${COLUMNS} from dns.nameserver_domain as n`);
}

/**
 * Writes the single row, with a serial that continues the last one (D-ZONE-33), and wakes the readers of the feed, since the
 * table has no trigger.
 */
export async function upsertNameserverDomain(
  db: Database,
  domain: Pick<NameserverDomain, 'name' | 'email'>,
): Promise<void> {
  await db.raw(
    `insert into dns.nameserver_domain as n (name, email, serial)
     values (?, ?, extract(epoch from now())::bigint)
     on conflict (is_only) do update
        set name = excluded.name, email = excluded.email,
            serial = greatest(excluded.serial, n.serial + 1), changed_in = pg_current_xact_id()`,
    [domain.name, domain.email],
  );
  await announceZoneChange(db, 'servers');
}
