import type { Knex } from 'knex';

// Data of Keystone's clients about projects and users besides their names: tags, and a user's default project. They
// have their own tables, because token checks do not read them.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table identity.project_tags (
      tenant_id text not null constraint project_tags_tenant references identity.tenants (id) on delete cascade,
      tag       text not null collate "C",
      constraint project_tags_pkey primary key (tenant_id, tag)
    );
    create table identity.default_projects (
      user_id   text constraint default_projects_pkey primary key
                constraint default_projects_user references identity.users (id) on delete cascade,
      tenant_id text not null constraint default_projects_tenant references identity.tenants (id) on delete cascade
    );
    create index default_projects_tenant on identity.default_projects (tenant_id);
    grant select, insert, update, delete on identity.project_tags, identity.default_projects
      to zonewright_identity, zonewright_operator;
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw('drop table identity.default_projects, identity.project_tags;');
}

export const projectTags: Knex.Migration = { up, down };
