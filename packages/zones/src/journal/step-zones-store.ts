import type { Database } from '@zonewright/database';

/** A step of the serial that changes nothing else, in the row and in the journal. */
export async function stepZones(
  trx: Database,
  zones: readonly { readonly id: string; readonly serial: number }[],
  requestId: string,
): Promise<void> {
  await trx.raw(
    `with step as (
       select s.id, s.serial from jsonb_to_recordset(?::jsonb) as s (id uuid, serial bigint)
     ), journal as (
       insert into dns.zone_changes (domain_id, serial_before, serial_after, action, before, after, user_id, request_id)
       select d.id, d.serial, step.serial, 'domain-update', i.image, i.image, 'operator', ?
         from dns.domains as d join step on step.id = d.id,
              lateral (select jsonb_build_object('id', d.id, 'tenant_id', d.tenant_id, 'name', d.name, 'email', d.email,
                'ttl', d.ttl, 'description', d.description,
                'created_at', to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
                'updated_at', to_char(d.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')) as image) as i
     )
     update dns.domains as d set serial = step.serial, changed_in = pg_current_xact_id()
       from step where d.id = step.id`,
    [JSON.stringify(zones), requestId],
  );
}
