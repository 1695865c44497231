import type { Database } from '@zonewright/database';
import { ALL_RECORDS } from '../rows/record-store.js';

/** A larger zone is looked through itself: its text would be long to make, and change often. */
const MAX_RECORDS = 20_000;
/** Shortest interval between two updates of the search text of a zone. */
const MAKE_AGAIN_AFTER = "interval '30 seconds'";

/** Number of records of the zone `d` that are switched off. */
export const DISABLED_COUNT =
  '(select count(*) from dns.disabled_records as o where o.domain_id = d.id)';

/**
 * Creates the texts of zones whose serial has none (ADR 0046). One statement, so that serial and records are of the same
 * moment. Names are without that of the zone, which would be half of the text, and end their line.
 */
export async function makeSearchTexts(db: Database, ids: readonly string[]): Promise<void> {
  await db.raw(
    `insert into dns.search_texts (domain_id, serial, made_at, content)
     select d.id, d.serial, now(), (
              select coalesce(string_agg(concat_ws(e'\\n', left(r.name, -length(d.name)), lower(r.data), lower(r.description),
                                                   lower(r.flags ->> 'tags')), e'\\n'), '')
                from ${ALL_RECORDS} as r where r.domain_id = d.id)
       from dns.domains as d
      where d.id = any(cast(:ids as uuid[])) and d.deleted_at is null and d.record_count <= ${MAX_RECORDS}
        -- What is read of texts is counted by the records that are served.
        and ${DISABLED_COUNT} <= d.record_count
        and not exists (select 1 from dns.search_texts as s where s.domain_id = d.id and s.made_at > now() - ${MAKE_AGAIN_AFTER})
      -- Two searches that make the same ones do not wait for each other in a circle.
      order by d.id
     on conflict (domain_id) do update
       set serial = excluded.serial, made_at = excluded.made_at, content = excluded.content`,
    { ids: [...ids] },
  );
}
