import type { Knex } from 'knex';
import type pg from 'pg';

/** Whether a connection is a session of PostgreSQL: a pooler names one of its own, and PostgreSQL the one that serves it for now. */
export async function hasOwnSession(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid === (client as pg.Client & { readonly processID?: number }).processID;
}

interface Pool {
  acquireConnection(): Promise<pg.Client>;
  releaseConnection(connection: pg.Client): Promise<void>;
}

/** Whether the connections of a database lead through a pooler. */
export async function leadsToPooler(db: Knex): Promise<boolean> {
  const pool = db.client as Pool;
  const connection = await pool.acquireConnection();
  try {
    return !(await hasOwnSession(connection));
  } finally {
    await pool.releaseConnection(connection);
  }
}
