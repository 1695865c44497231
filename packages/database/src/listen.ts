import pg from 'pg';

interface ListenerOptions {
  /** postgres://..., the role needs no rights but to connect. */
  readonly url: string;
  readonly applicationName: string;
  readonly channel: string;
  /** Called for each notification, and with undefined after each (re)connection: something may have been missed. */
  readonly onNotify: (payload: string | undefined) => void;
  /** Called when the connection is lost or cannot be made; the listener goes on trying. */
  readonly onError: (error: Error) => void;
}

const RECONNECT_DELAY_MS = 250;
const CONNECT_TIMEOUT_MS = 1_500;

/**
 * Listens on a NOTIFY channel for as long as it runs, over connections of its own: lost ones are replaced.
 * On a standby, where LISTEN is refused, it keeps trying at the same slow pace; readers must poll as well.
 */
export class NotificationListener {
  readonly #options: ListenerOptions;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = true;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#stopped = false;
    void this.#connect();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  /** Whether notifications are arriving now. */
  get isListening(): boolean {
    return this.#client !== undefined;
  }

  async #connect(): Promise<void> {
    const { url, applicationName, channel } = this.#options;
    const client = new pg.Client({
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('error', (error) => {
      this.#lost(client, error);
    });
    client.on('end', () => {
      this.#lost(client, new Error('the connection was closed'));
    });
    client.on('notification', ({ payload }) => {
      this.#options.onNotify(payload);
    });
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
    } catch (error) {
      void client.end().catch(() => undefined);
      this.#retry(error as Error);
      return;
    }
    if (this.#stopped) {
      await client.end().catch(() => undefined);
      return;
    }
    this.#client = client;
    this.#options.onNotify(undefined);
  }

  #lost(client: pg.Client, error: Error): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    void client.end().catch(() => undefined);
    this.#retry(error);
  }

  #retry(error: Error): void {
    if (this.#stopped) return;
    this.#options.onError(error);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#connect(), RECONNECT_DELAY_MS);
  }
}
