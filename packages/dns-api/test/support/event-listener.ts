import http from 'node:http';
import { waitFor } from '@zonewright/testkit';

interface ReceivedEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A client of an event stream that reads it as browsers do (HTML Living Standard, section 9.2.6). */
export class EventListener {
  readonly events: ReceivedEvent[] = [];
  status: number | undefined;
  headers: http.IncomingHttpHeaders = {};
  text = '';
  lastEventId: string;
  isEnded = false;
  readonly #request: http.ClientRequest;
  #rest = '';

  constructor(url: string, token: string, lastEventId = '', more: http.OutgoingHttpHeaders = {}) {
    this.lastEventId = lastEventId;
    const headers = {
      'X-Auth-Token': token,
      ...(lastEventId === '' ? {} : { 'Last-Event-ID': lastEventId }),
      ...more,
    };
    this.#request = http.get(new URL('/v1/events', url), { headers, agent: false }, (response) => {
      this.status = response.statusCode;
      this.headers = response.headers;
      response.setEncoding('utf8').on('data', (text: string) => {
        this.#read(text);
      });
      response.on('error', () => undefined).on('close', () => (this.isEnded = true));
    });
    this.#request.on('error', () => (this.isEnded = true));
  }

  /** Waits until the client receives new events. */
  async listening(): Promise<this> {
    await waitFor(() => this.text.includes('id: ') || this.isEnded);
    return this;
  }

  of(event: string) {
    return this.events.filter((each) => each.event === event).map(({ data }) => data);
  }

  close(): void {
    this.#request.destroy();
  }

  #read(text: string): void {
    this.text += text;
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line): [string, string] => {
          const [name = '', ...value] = line.split(': ');
          return [name, value.join(': ')];
        }),
      );
      this.lastEventId = fields.get('id') ?? this.lastEventId;
      const data = fields.get('data');
      if (data === undefined) continue;
      const parsed = JSON.parse(data) as Readonly<Record<string, unknown>>;
      this.events.push({ event: fields.get('event') ?? 'message', data: parsed });
    }
  }
}
