import type { Knex } from 'knex';

// The MX target rule for each tenant (DNS API s4; null: as dns-api is set). It is a column of the tenant's limits,
// under the rights of that table: dns-api reads it, the operator writes it. An older dns-api uses its setting only.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table dns.quotas
      add column mx_target_check text
        constraint quotas_mx_target_check check (mx_target_check in ('hosted', 'strict', 'off'));
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw('alter table dns.quotas drop column mx_target_check');
}

export const mailTargetRule: Knex.Migration = { up, down };
