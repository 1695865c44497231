import { beforeAll } from '@jest/globals';
import type { Database } from '@zonewright/database';

interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

interface Client {
  query: (this: Client, statement: Statement | string) => unknown;
}

/** Records the statements that this process sends. */
export function useStatements(db: () => Database) {
  let record: ((statement: Statement) => void) | undefined;
  beforeAll(() => {
    const { driver } = db().client as { driver: { Client: { prototype: Client } } };
    const { prototype } = driver.Client;
    const query = prototype.query;
    prototype.query = function recordQuery(this: Client, ...args: Parameters<Client['query']>) {
      const [statement] = args;
      if (typeof statement !== 'string') record?.(statement);
      return query.apply(this, args);
    };
  });
  return {
    /** Returns the statements about one of these zones, by name. Jobs, which run at any time, do not name a zone. */
    async of(zoneIds: readonly string[], change: () => Promise<unknown>): Promise<string[]> {
      const statements: string[] = [];
      record = ({ name, text, values }) => {
        const given = JSON.stringify(values ?? []);
        if (!zoneIds.some((id) => given.includes(id))) return;
        // The data that is read depends on the members of the change.
        statements.push((name ?? text).replace(/(-by-\w+)+$/, ''));
      };
      try {
        await change();
      } finally {
        record = undefined;
      }
      return statements;
    },
  };
}
