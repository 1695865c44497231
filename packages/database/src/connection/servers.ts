import pg from 'pg';
import { type PostgresServers, readPostgresUrl } from '@zonewright/service-kit';
import { SQLSTATE } from './errors.js';

/** How a connection is made, but for where. */
type ClientSettings = Omit<pg.ClientConfig, 'connectionString'>;

/** One of the servers of a URL: the one that was found last, then the others in their order. */
export class ServerChoice {
  readonly #servers: PostgresServers;
  /** Goes first: a server that is away would cost each new connection the whole time of an attempt. */
  #last: string;

  constructor(url: string) {
    this.#servers = readPostgresUrl(url);
    this.#last = this.only;
  }

  /** The URL of the first, which is the only one unless there is a choice. */
  get only(): string {
    return this.#servers.urls[0] ?? '';
  }

  get takesWrites(): boolean {
    return this.#servers.takesWrites;
  }

  /** Whether it has to be asked which server will do. */
  get isChoice(): boolean {
    return this.#servers.urls.length > 1 || this.takesWrites;
  }

  /**
   * The URL of a server that answers and, where that is wanted, takes writes.
   *
   * @throws what the last one failed with.
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
  // An error after the answer also affects the connection that is made next, and is reported there.
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
  const message = 'no server of the URL takes writes: each one that answers is a standby';
  return Object.assign(new Error(message), { code: SQLSTATE.readOnlySqlTransaction });
}

/** Connections whose server has become a standby. */
const refusing = new WeakSet();

/** Takes note of a server that no longer takes writes, so that the pool gives the connection up. */
export function noteRefusedWrites(client: pg.Client): void {
  client.connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
    if (code === SQLSTATE.readOnlySqlTransaction) refusing.add(client);
  });
}

export function refusedWrites(client: object): boolean {
  return refusing.has(client);
}
