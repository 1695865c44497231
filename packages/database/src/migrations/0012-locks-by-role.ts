import type { Knex } from 'knex';

// Any login may take advisory locks, whatever its rights to tables. A compromised nameserver could hold the locks with
// which dns-api and the operator's command keep writers of one tenant apart. It could also fill the server's lock
// table. Besides these two, only identity-service (for retention and quotas) and the login that migrates take such
// locks. Functions of the system belong to the superuser. If another login migrates (a managed server), every login
// keeps the right.

const LOCK_FUNCTIONS = `
  select p.oid::regprocedure as signature from pg_proc as p
   where p.pronamespace = 'pg_catalog'::regnamespace and p.proname ~ '^pg_(try_|)advisory_(xact_|)lock(_shared|)$'`;

async function forEachLockFunction(db: Knex, statements: string): Promise<void> {
  await db.raw(`
    do $body$
    declare
      signature regprocedure;
    begin
      if not pg_has_role(current_user, (select p.proowner from pg_proc as p where p.oid = 'pg_advisory_lock(bigint)'::regprocedure), 'USAGE') then
        return;
      end if;
      for signature in ${LOCK_FUNCTIONS} loop
        ${statements}
      end loop;
    end
    $body$;
  `);
}

async function up(db: Knex): Promise<void> {
  await forEachLockFunction(
    db,
    `execute format('revoke execute on function %s from public', signature);
     execute format('grant execute on function %s to zonewright_dns_api, zonewright_identity, zonewright_operator, %I', signature, current_user);`,
  );
}

async function down(db: Knex): Promise<void> {
  await forEachLockFunction(
    db,
    `execute format('grant execute on function %s to public', signature);`,
  );
}

export const locksByRole: Knex.Migration = { up, down };
