import pg from 'pg';

/**
 * A session that listens on a channel and can report exactly which notifications arrived, without waiting for silence.
 */
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
   * Returns the notifications since the last call. They arrive in the order of commits, so all earlier ones precede a
   * notification that is sent now.
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
