import type { Knex } from 'knex';

// `zonewright-admin doctor` tells whether the schema suits the programs, and works with the operator's rights. The
// table of migrations belongs to the runner, which made it before this.

async function up(db: Knex): Promise<void> {
  await db.raw('grant select on zonewright_migrations to zonewright_operator');
}

async function down(db: Knex): Promise<void> {
  await db.raw('revoke select on zonewright_migrations from zonewright_operator');
}

export const operatorSeesVersion: Knex.Migration = { up, down };
