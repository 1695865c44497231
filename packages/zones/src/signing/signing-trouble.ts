import { type Database, queryRow } from '@zonewright/database';
import { RENEWED_BEFORE_END_SECONDS } from './signed-name-store.js';

/** Problems of signed zones, for operators. */
export interface SigningTrouble {
  /** Zones that are signed, or about to be. */
  readonly zones: number;
  /** Zones among them that the signer should have looked at a quarter of an hour ago. */
  readonly overdue: number;
  /** Zones whose first signing was requested more than an hour ago. */
  readonly signing: number;
  /** Zones that have waited for more than a week for their parent to remove the DS. */
  readonly leaving: number;
  /** One of these zones; null: there is none. */
  readonly example: string | null;
  /** When the first of the served signatures expires; undefined: there is none. */
  readonly firstEnd: { readonly name: string; readonly at: Date } | undefined;
}

/** Undefined: no zone is signed. */
export async function findSigningTrouble(
  db: Database,
  now: Date,
): Promise<SigningTrouble | undefined> {
  const counts = await queryRow<Omit<SigningTrouble, 'firstEnd'>>(
    db,
    `select count(*) as zones, count(*) filter (where s.overdue) as overdue, count(*) filter (where s.signing) as signing,
            count(*) filter (where s.leaving) as leaving, min(s.name) filter (where s.overdue or s.signing or s.leaving) as example
       from (select d.name,
                    z.state <> 'signing' and z.next_resign_at < cast(? as timestamptz) - interval '15 minutes' as overdue,
                    z.state = 'signing' and z.changed_at < cast(? as timestamptz) - interval '1 hour' as signing,
                    z.state = 'leaving' and z.changed_at < cast(? as timestamptz) - interval '7 days' as leaving
               from dns.zone_dnssec as z join dns.domains as d on d.id = z.domain_id and d.deleted_at is null) as s`,
    [now, now, now],
  );
  if (counts === undefined || counts.zones === 0) return undefined;
  const first = await queryRow<{ name: string; at: Date }>(
    db,
    `select d.name, n.resign_at + cast(? as double precision) * interval '1 second' as at
       from dns.signed_names as n join dns.domains as d on d.id = n.domain_id and d.deleted_at is null
       join dns.zone_dnssec as z on z.domain_id = d.id and z.state <> 'signing'
      order by n.resign_at limit 1`,
    [RENEWED_BEFORE_END_SECONDS],
  );
  return { ...counts, firstEnd: first };
}
