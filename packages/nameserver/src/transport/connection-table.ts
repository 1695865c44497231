interface Entry {
  readonly source: string;
  usefulAt: number;
}

interface ConnectionLimits {
  readonly maxConnections: number;
  readonly maxConnectionsPerSource: number;
}

/**
 * Open connections, in total and by source, in the order in which they were last useful. A connection is useful when it
 * is opened, delivers a complete query, or accepts an answer. JavaScript's Map and Set keep insertion order. Removing
 * and adding again moves a connection to the end, so the first one is always the one to close.
 *
 * If a limit is exceeded, an old connection is closed and the new one is accepted. Clients are therefore served even if
 * somebody holds connections open and sends nothing: those connections are the oldest.
 */
export class ConnectionTable<C> {
  readonly #limits: ConnectionLimits;
  readonly #entries = new Map<C, Entry>();
  readonly #bySource = new Map<string, Set<C>>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Adds a connection. If that exceeds a limit, returns the connection to close. */
  add(connection: C, source: string, now: number): C | undefined {
    let ofSource = this.#bySource.get(source);
    if (ofSource === undefined) {
      ofSource = new Set();
      this.#bySource.set(source, ofSource);
    }
    ofSource.add(connection);
    this.#entries.set(connection, { source, usefulAt: now });
    if (ofSource.size > this.#limits.maxConnectionsPerSource) return firstOf(ofSource);
    if (this.#entries.size > this.#limits.maxConnections) return firstOf(this.#entries.keys());
    return undefined;
  }

  /** Notes that the connection has just been useful. */
  touch(connection: C, now: number): void {
    const entry = this.#entries.get(connection);
    if (entry === undefined) return;
    entry.usefulAt = now;
    this.#entries.delete(connection);
    this.#entries.set(connection, entry);
    const ofSource = this.#bySource.get(entry.source);
    ofSource?.delete(connection);
    ofSource?.add(connection);
  }

  remove(connection: C): void {
    const entry = this.#entries.get(connection);
    if (entry === undefined) return;
    this.#entries.delete(connection);
    const ofSource = this.#bySource.get(entry.source);
    ofSource?.delete(connection);
    if (ofSource?.size === 0) this.#bySource.delete(entry.source);
  }

  /** Returns the connections that have not been useful for `milliseconds`. */
  listIdle(now: number, milliseconds: number): C[] {
    const idle: C[] = [];
    for (const [connection, entry] of this.#entries) {
      // A clock that was set back must not keep connections open for longer.
      if (entry.usefulAt > now) entry.usefulAt = now;
      else if (entry.usefulAt > now - milliseconds) break;
      else idle.push(connection);
    }
    return idle;
  }

  list(): C[] {
    return [...this.#entries.keys()];
  }
}

function firstOf<C>(connections: Iterable<C>): C | undefined {
  for (const connection of connections) return connection;
  return undefined;
}
