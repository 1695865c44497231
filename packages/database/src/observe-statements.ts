import type { StatementObserver } from '@zonewright/service-kit';

type Done = (error: unknown, result: unknown) => void;

/** A connection of the driver, as knex calls it. */
interface Connection {
  query(statement: { readonly text: string }, done: Done): unknown;
}

/**
 * Tells the observer of each statement of a new connection, for the pool's `afterCreate`. At the connection and not by
 * knex' events: these do not tell when BEGIN and COMMIT are answered.
 */
export function observeStatements(observer: StatementObserver) {
  return (connection: Connection, ready: (error: Error | null, connection: Connection) => void) => {
    const send = connection.query.bind(connection);
    connection.query = (statement, done) => {
      const answered = observer(statement.text);
      if (answered === undefined) return send(statement, done);
      return send(statement, (error, result) => {
        answered(error);
        done(error, result);
      });
    };
    ready(null, connection);
  };
}
