interface Named {
  name?: string;
}

/** A connection of the driver, as far as it is sent statements. */
interface Connection {
  query(statement: Named, ...rest: unknown[]): unknown;
}

/** From now on statements are planned each time: behind a pooler a name may be one of another session, or taken in this one. */
export function withoutNames(connection: object): void {
  const named = connection as Connection;
  const send = named.query.bind(connection);
  named.query = (statement, ...rest) => {
    delete statement.name;
    return send(statement, ...rest);
  };
}
