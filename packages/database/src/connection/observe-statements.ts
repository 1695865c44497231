import type { StatementObserver } from '@zonewright/service-kit';

type Done = (error: unknown, result?: unknown) => void;

/** A connection of the driver, as knex calls it, and as runPrepared does, which gets a promise. */
interface Connection {
  query(statement: { readonly text: string }, done?: Done): unknown;
}

/**
 * Tells the observer of each statement of a new connection. At the connection and not by knex' events: these do not
 * tell when BEGIN and COMMIT are answered.
 */
export function observeStatements(connection: Connection, observer: StatementObserver): void {
  const send = connection.query.bind(connection);
  connection.query = (statement, done) => {
    const answered = observer(statement.text);
    if (answered === undefined) return send(statement, done);
    if (done === undefined) {
      const result = send(statement) as Promise<unknown>;
      result.then(() => {
        answered(null);
      }, answered);
      return result;
    }
    return send(statement, (error, result) => {
      answered(error);
      done(error, result);
    });
  };
}
