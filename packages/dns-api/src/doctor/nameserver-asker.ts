import {
  DnsSyntaxError,
  type MessageRecord,
  RCODE,
  rcodeOf,
  rdataFromWire,
  typeMnemonic,
  wireToName,
} from '@zonewright/dns-records';
import { dnssecText } from '@zonewright/dns-records/dnssec';
import { type DnsAddress, ServiceError } from '@zonewright/service-kit';
import type { NameserverStatus, StatusReader, Zone } from '@zonewright/zones';
import type { DnsApiSettings } from '../settings/settings.js';
import { type QuestionAnswer, sendQuestion } from './ask-question.js';

interface AskerOptions {
  readonly settings: Pick<DnsApiSettings['check'], 'nameserverAddresses'>;
  readonly statuses: StatusReader;
}

interface Question {
  readonly name: string;
  readonly type: string;
  readonly dnssec: boolean;
  readonly tcp: boolean;
}

/** A record of a response, in the form of the API. */
interface AnsweredRecord {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly data: string;
}

/** Response of one nameserver. */
interface NameserverReply {
  readonly name: string;
  /** `host:port`; null if the nameserver has no address. */
  readonly address: string | null;
  /** An RCODE, or `no answer`. */
  readonly status: string;
  readonly transport: 'udp' | 'tcp' | null;
  readonly isAuthoritative: boolean;
  readonly milliseconds: number | null;
  readonly records: readonly AnsweredRecord[];
  /** Records of the authority section: SOA or NSEC of a negative answer, NS of a referral. */
  readonly authority: readonly AnsweredRecord[];
  /** Whether most nameservers that answer give another response. */
  readonly differs: boolean;
}

const ANSWER_WITHIN_MS = 1_500;
/** The limit of concurrent calls. Each sends six queries, so together they do not flood servers. */
const MAX_RUNNING = 16;
const MAX_OF_TENANT = 2;

/** Queries only the nameservers of this service, only for names in a domain, and for a few callers at a time. */
export class NameserverAsker {
  readonly #options: AskerOptions;
  readonly #byTenant = new Map<string, number>();
  #running = 0;

  constructor(options: AskerOptions) {
    this.#options = options;
  }

  /**
   * @param question concerns a name in the zone
   * @throws ServiceError `rate-limited`
   */
  async ask({ tenantId }: Zone, question: Question): Promise<readonly NameserverReply[]> {
    const own = this.#byTenant.get(tenantId) ?? 0;
    if (this.#running >= MAX_RUNNING || own >= MAX_OF_TENANT) {
      const message = 'Too many queries to the nameservers are in progress; try again in a second.';
      throw new ServiceError('rate-limited', message);
    }
    this.#running += 1;
    this.#byTenant.set(tenantId, own + 1);
    try {
      const servers = await this.#options.statuses.read();
      return markDifferences(
        await Promise.all(servers.map((server) => this.#askOne(server, question))),
      );
    } finally {
      this.#running -= 1;
      const left = (this.#byTenant.get(tenantId) ?? 1) - 1;
      if (left === 0) this.#byTenant.delete(tenantId);
      else this.#byTenant.set(tenantId, left);
    }
  }

  async #askOne(server: NameserverStatus, question: Question): Promise<NameserverReply> {
    const address = addressOf(server, this.#options.settings);
    const startedAt = performance.now();
    const answer = address && (await sendQuestion(address, question, ANSWER_WITHIN_MS));
    return {
      name: server.name,
      address: address === undefined ? null : textOf(address),
      ...(answer === undefined ? NO_ANSWER : describeAnswer(answer)),
      milliseconds:
        answer === undefined ? null : Math.round((performance.now() - startedAt) * 10) / 10,
      differs: false,
    };
  }
}

const NO_ANSWER = {
  status: 'no answer',
  transport: null,
  isAuthoritative: false,
  records: [],
  authority: [],
} as const;

function describeAnswer({ message, isAuthoritative, transport }: QuestionAnswer) {
  const code = rcodeOf(message);
  const [name] = Object.entries(RCODE).find(([, number]) => number === code) ?? [`RCODE${code}`];
  return {
    ...{ status: name, transport, isAuthoritative },
    records: message.answers.map(toRecord),
    authority: message.authorities.map(toRecord),
  };
}

function toRecord({ name, type, ttl, rdata }: MessageRecord): AnsweredRecord {
  const mnemonic = typeMnemonic(type);
  return { name: wireToName(name), type: mnemonic, ttl, data: textOfRdata(mnemonic, rdata) };
}

function textOfRdata(type: string, rdata: Uint8Array): string {
  try {
    const ofSigner = dnssecText(type, rdata);
    if (ofSigner !== undefined) return ofSigner;
    const { data, priority } = rdataFromWire(type, rdata);
    return priority === null ? data : `${priority} ${data}`;
  } catch (error) {
    if (!(error instanceof DnsSyntaxError)) throw error;
    // Data of an unknown type has the form of RFC 3597, section 5.
    return `\\# ${rdata.length} ${Buffer.from(rdata).toString('hex')}`;
  }
}

/**
 * Marks the responses that differ from the most frequent one. If two are equally frequent, the first in the list
 * counts.
 */
function markDifferences(asked: readonly NameserverReply[]): NameserverReply[] {
  const answered = asked.filter(({ transport }) => transport !== null);
  const counts = new Map<string, number>();
  for (const each of answered) counts.set(essence(each), (counts.get(essence(each)) ?? 0) + 1);
  const [usual] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? [];
  return asked.map((each) => ({
    ...each,
    differs: each.transport !== null && essence(each) !== usual,
  }));
}

/** Returns the status and the records of a response, in an order that is the same for equal responses. */
function essence({ status, records }: NameserverReply): string {
  return JSON.stringify([status, records.map((record) => JSON.stringify(record)).toSorted()]);
}

const DNS_PORT = 53;

/** Returns the address of a nameserver of this service, or undefined if it has none. */
export function addressOf(
  { name, ipv4, ipv6 }: Pick<NameserverStatus, 'name' | 'ipv4' | 'ipv6'>,
  {
    nameserverAddresses,
  }: {
    /** Addresses to use instead of those of the nameservers, by nameserver name. */
    readonly nameserverAddresses: ReadonlyMap<string, DnsAddress>;
  },
): DnsAddress | undefined {
  const configured =
    nameserverAddresses.get(name) ?? nameserverAddresses.get(name.split('.')[0] ?? '');
  const host = ipv4 ?? ipv6;
  return configured ?? (host === null ? undefined : { host, port: DNS_PORT });
}

export function textOf({ host, port }: DnsAddress): string {
  return `${host}:${port}`;
}
