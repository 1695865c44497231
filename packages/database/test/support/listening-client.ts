import pg from 'pg';

/** A session that listens on a channel and can tell exactly what arrived, without waiting for silence. */
export class ListeningClient {
  readonly #client: pg.Client;
  readonly #channel: string;
  #arrived: string[] = [];
  #sentinels = 0;

  constructor(url: string, channel: string) {
    this.#client = new pg.Client({ connectionString: url });
    this.#channel = channel;
    this.#client.on('notification', ({ payload }) => this.#arrived.push(payload ?? ''));
  }

  async start(): Promise<void> {
    await this.#client.connect();
    await this.#client.query(`listen ${this.#channel}`);
  }

  async stop(): Promise<void> {
    await this.#client.end();
  }

  /**
   * What has arrived since the last call. Notifications come in the order of commits, so all that was
   * committed before lies before a notification that is sent now.
   */
  async take(): Promise<string[]> {
    const sentinel = `sentinel ${++this.#sentinels}`;
    while (!this.#arrived.includes(sentinel)) {
      await this.#client.query('select pg_notify($1, $2)', [this.#channel, sentinel]);
    }
    const arrived = this.#arrived.filter((payload) => !payload.startsWith('sentinel'));
    this.#arrived = [];
    return arrived;
  }
}
