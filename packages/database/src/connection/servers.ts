import pg from 'pg';
import { type PostgresServers, readPostgresUrl } from '@zonewright/service-kit';
import { SQLSTATE } from './errors.js';

/** Settings of a connection without its server. */
type ClientSettings = Omit<pg.ClientConfig, 'connectionString'>;

/** The servers of a URL. The last one that was found is tried first, then the others in order. */
export class ServerChoice {
  readonly #servers: PostgresServers;
  /**
   * The server that is tried first. Each attempt to reach an unavailable server would delay a new connection by the
   * whole timeout.
   */
  #last: string;

  constructor(url: string) {
    this.#servers = readPostgresUrl(url);
    this.#last = this.only;
  }

  /** The URL of the first server, which is the only one unless there are several. */
  get only(): string {
    return this.#servers.urls[0] ?? '';
  }

  get takesWrites(): boolean {
    return this.#servers.takesWrites;
  }

  /** Whether a suitable server must be searched for. */
  get isChoice(): boolean {
    return this.#servers.urls.length > 1 || this.takesWrites;
  }

  /**
   * Returns the URL of a server that answers and, if required, accepts writes.
   * @throws the last server's error
   */
  async find(settings: ClientSettings): Promise<string> {
    const { urls, takesWrites } = this.#servers;
    let failure: unknown;
    for (const url of new Set([this.#last, ...urls])) {
      try {
        if (await answers(url, settings, takesWrites)) return (this.#last = url);
        failure = readOnly();
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }
}

async function answers(
  url: string,
  settings: ClientSettings,
  takesWrites: boolean,
): Promise<boolean> {
  const client = new pg.Client({ ...settings, connectionString: url });
  // An error after the answer also affects the next connection, and is reported there.
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (!takesWrites) return true;
    const { rows } = await client.query<{ transaction_read_only: string }>(
      'show transaction_read_only',
    );
    return rows[0]?.transaction_read_only === 'off';
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** Returns the error that a write would cause on a standby. */
function readOnly(): Error {
  const message = 'no server of the URL accepts writes: all servers that respond are standbys';
  return Object.assign(new Error(message), { code: SQLSTATE.readOnlySqlTransaction });
}

/** Connections whose server has become a standby. */
const refusing = new WeakSet();

/** Records a server that no longer accepts writes, so that the pool closes the connection. */
export function noteRefusedWrites(client: pg.Client): void {
  client.connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
    if (code === SQLSTATE.readOnlySqlTransaction) refusing.add(client);
  });
}

export function refusedWrites(client: object): boolean {
  return refusing.has(client);
}
