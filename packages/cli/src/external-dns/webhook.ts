import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  ApiError,
  type Domain,
  readAll,
  type RecordOperation,
  type ZoneRecord,
} from '@zonewright/client';
import { InputError } from '@zonewright/terminal';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { accountCommand } from '../command/user-command.js';
import { withDot } from '../record/names.js';
import { type Session, withSession } from '../session/session.js';
import {
  type Changes,
  ownerOf,
  planChanges,
  readChanges,
  readEndpoints,
  toEndpoints,
  withoutRefused,
} from './plan-changes.js';

/** Default address of webhooks in external-dns, within the same pod. */
const LISTEN = '127.0.0.1:8888';

interface Options {
  readonly listen: string;
  readonly domain?: readonly string[];
  readonly confirm?: boolean;
}

export function externalDnsCommand(host: Host): Command {
  return accountCommand(
    'external-dns',
    'run the webhook provider for external-dns',
    'external-dns --domain example.com',
  )
    .option('--domain <name...>', 'domains to manage (default: all that the key can read)')
    .option('--confirm', 'allow deletion of more than 30% of the records of a domain at once')
    .option(
      '--listen <address>',
      'host and port; every program that can connect can change records',
      LISTEN,
    )
    .action(
      withSession(host, async (session, { listen, domain = [], confirm = false }: Options) => {
        const webhook = new Webhook(session, domain.map(withDot), confirm);
        const server = createServer((request, response) => {
          void webhook.answer(request, response);
        });
        server.listen(readAddress(listen));
        await once(server, 'listening');
        const address = server.address();
        const port = typeof address === 'object' ? address?.port : undefined;
        session.output.remark(
          `Listening on ${listen.replace(/:0$/, `:${port ?? 0}`)}. Press Ctrl-C to stop.`,
        );
        if (!host.signal.aborted) await once(host.signal, 'abort');
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      }),
    );
}

function readAddress(text: string): { host: string; port: number } {
  const [, host, port] = /^(?:\[?([^\]]+)\]?):(\d{1,5})$/.exec(text) ?? [];
  if (host !== undefined && Number(port) < 65_536) return { host, port: Number(port) };
  throw new InputError(`"${text}" is not an address and port. Example: ${LISTEN}`);
}

const MEDIA_TYPE = 'application/external.dns.webhook+json;version=1';
/** Maximum size of a body: about 50,000 endpoints. */
const MAX_BODY_OCTETS = 16 * 1024 * 1024;

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** Provider of external-dns (webhook protocol, version 1). */
class Webhook {
  readonly #session: Session;
  readonly #names: readonly string[];
  readonly #confirm: { readonly confirm?: true };

  /**
   * @param names domains that it lists and changes; if empty, all that the key may see
   * @param confirms whether it may remove most records of a domain at once
   */
  constructor(session: Session, names: readonly string[], confirms: boolean) {
    this.#session = session;
    this.#names = names;
    this.#confirm = confirms ? { confirm: true } : {};
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body } = await this.#perform(request).catch((error: unknown) =>
      this.#toFailure(error),
    );
    const headers = { 'Content-Type': MEDIA_TYPE, Vary: 'Content-Type' };
    response.writeHead(status, headers).end(body === undefined ? '' : JSON.stringify(body));
  }

  async #perform(request: IncomingMessage): Promise<Answer> {
    const { method = '', url = '' } = request;
    switch (`${method} ${url}`) {
      case 'GET /':
        return { status: 200, body: { filters: await this.#listNames() } };
      case 'GET /records':
        return { status: 200, body: toEndpoints(await this.#listRecords()) };
      case 'POST /adjustendpoints':
        return { status: 200, body: adjust(await readBody(request)) };
      case 'POST /records':
        await this.#apply(readChanges(await readBody(request)));
        return { status: 204 };
      case 'GET /healthz':
        return { status: 200 };
      default:
        return { status: 404, body: `there is no ${method} ${url}` };
    }
  }

  /** Logs the error, since external-dns shows only the status. Errors that external-dns may retry get 500. */
  #toFailure(error: unknown): Answer {
    const { message } = error as Error;
    this.#session.output.remark(`Refused: ${message}`);
    return { status: error instanceof InputError ? 400 : 500, body: message };
  }

  async #listZones(): Promise<Domain[]> {
    const { client, reading } = this.#session;
    const listed = await readAll(client.domains.list(reading));
    // Names are compared with those of records, which are in lower case.
    const all = listed.map((zone) => ({ ...zone, name: zone.name.toLowerCase() }));
    return all.filter(({ name }) => this.#names.length === 0 || this.#names.includes(name));
  }

  async #listNames(): Promise<string[]> {
    return (await this.#listZones()).map(({ name }) => name.replace(/\.$/, ''));
  }

  async #listRecords(): Promise<ZoneRecord[]> {
    const zones = await this.#listZones();
    const records: ZoneRecord[] = [];
    for (const zone of zones) {
      for await (const record of this.#recordsOf(zone).list({}, this.#session.reading)) {
        // NS and SOA records of the service at the apex are not part of the plan.
        if (!(record.name === zone.name && ['NS', 'SOA'].includes(record.type))) {
          records.push(record);
        }
      }
    }
    return records;
  }

  #recordsOf({ id }: Domain) {
    return this.#session.client.records(id);
  }

  /** Makes all changes that are possible. @throws InputError with the reasons of the others, which can never work */
  async #apply(changes: Changes): Promise<void> {
    const zones = await this.#listZones();
    const byZone = new Map<Domain, { leaving: Endpoints; coming: Endpoints }>();
    const refused: string[] = [];
    for (const kind of ['leaving', 'coming'] as const) {
      for (const endpoint of changes[kind]) {
        const zone = findZone(zones, ownerOf(endpoint));
        if (zone === undefined) {
          refused.push(`${ownerOf(endpoint)} is not in any domain of this provider`);
          continue;
        }
        const own = byZone.get(zone) ?? { leaving: [], coming: [] };
        byZone.set(zone, { ...own, [kind]: [...own[kind], endpoint] });
      }
    }
    for (const [zone, own] of byZone) refused.push(...(await this.#change(zone, own)));
    if (refused.length > 0) throw new InputError([...new Set(refused)].join(' '));
  }

  /** Makes all changes of one domain in one step, without those of refused names. Returns why they are refused. */
  async #change(zone: Domain, changes: Changes): Promise<readonly string[]> {
    const { reading, output } = this.#session;
    const records = this.#recordsOf(zone);
    const present = await readAll(records.list({}, reading));
    const reasons: string[] = [];
    let operations: RecordOperation[] = planChanges(present, changes);
    while (operations.length > 0) {
      try {
        const { serial } = await records.change(operations, { ...reading, ...this.#confirm });
        output.remark(`${zone.name} ${serial ?? ''}: ${operations.length} changes.`);
        return reasons;
      } catch (error) {
        const left = error instanceof ApiError ? withoutRefused(operations, present, error) : [];
        if (!(error instanceof ApiError) || left.length === operations.length) throw error;
        reasons.push(...error.problems.map(({ message }) => message));
        operations = left;
      }
    }
    return reasons;
  }
}

type Endpoints = Changes['leaving'];

/** Returns the zone with the longest name that contains `name`. */
function findZone(zones: readonly Domain[], name: string): Domain | undefined {
  const around = zones.filter((zone) => name === zone.name || name.endsWith(`.${zone.name}`));
  return around.toSorted((a, b) => b.name.length - a.name.length)[0];
}

/** Removes properties that this provider does not support, so that external-dns does not treat them as missing. */
function adjust(body: unknown): object[] {
  return readEndpoints(body, 'the body').map((endpoint) =>
    Object.fromEntries(Object.entries(endpoint).filter(([name]) => name !== 'providerSpecific')),
  );
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  // A browser cannot send this type to another origin without permission.
  if (!/^application\/external\.dns\.webhook\+json/.test(request.headers['content-type'] ?? '')) {
    throw new InputError(`the Content-Type must be ${MEDIA_TYPE}`);
  }
  const chunks: Buffer[] = [];
  let octets = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    octets += chunk.length;
    if (octets > MAX_BODY_OCTETS) throw new InputError('the body is too large');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    throw new InputError('the body is not valid JSON');
  }
}
