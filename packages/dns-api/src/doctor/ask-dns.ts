import { randomInt } from 'node:crypto';
import dnsPacket, { type Answer, type DecodedPacket, type RecordType } from 'dns-packet';
import { type DnsAddress, exchangeOverUdp } from '@zonewright/service-kit';
import type { DsRecord } from '@zonewright/zones';

/** The response of a nameserver. */
export interface DnsAnswer {
  /** The response code, such as NOERROR, NXDOMAIN, SERVFAIL or REFUSED. */
  readonly rcode: string;
  readonly isAuthoritative: boolean;
  readonly answers: readonly Answer[];
}

const TRIES = 2;
const TRY_MS = 900;
/** The payload size of RFC 9715, which avoids fragmentation and exceeds every expected response. */
const PAYLOAD_OCTETS = 1_232;

/**
 * Sends one question, and repeats it once. Returns undefined if no response arrives within 1.8 s, or the question
 * cannot be sent.
 */
export async function queryDns(
  server: DnsAddress,
  name: string,
  type: RecordType,
  { recursive }: { readonly recursive: boolean },
): Promise<DnsAnswer | undefined> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const answer = await askOnce(server, name, type, recursive);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

async function askOnce(
  server: DnsAddress,
  name: string,
  type: RecordType,
  recursive: boolean,
): Promise<DnsAnswer | undefined> {
  const id = randomInt(65_536);
  const question = { name: name.replace(/\.$/, ''), type };
  const query = dnsPacket.encode({
    type: 'query',
    id,
    flags: recursive ? dnsPacket.RECURSION_DESIRED : 0,
    questions: [question],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: PAYLOAD_OCTETS,
        flags: 0,
        options: [],
        extendedRcode: 0,
        ednsVersion: 0,
        flag_do: false,
      },
    ],
  });
  const read = (octets: Buffer) => decodeAnswer(octets, id, question);
  return await exchangeOverUdp(server, { query, read, ms: TRY_MS });
}

function decodeAnswer(
  octets: Buffer,
  id: number,
  question: { readonly name: string; readonly type: RecordType },
): DnsAnswer | undefined {
  let packet: DecodedPacket & { rcode?: string };
  try {
    packet = dnsPacket.decode(octets);
  } catch {
    // A message that cannot be decoded is not a response.
    return undefined;
  }
  const asked = packet.questions?.[0];
  const isOurs =
    packet.id === id &&
    packet.type === 'response' &&
    asked?.type === question.type &&
    asked.name.toLowerCase() === question.name.toLowerCase();
  if (!isOurs) return undefined;
  return {
    rcode: packet.rcode ?? 'NOERROR',
    isAuthoritative: packet.flag_aa,
    answers: packet.answers ?? [],
  };
}

/** Returns the data of an answer's records of one type: addresses, or names in lower case with a trailing dot. */
export function dataOf({ answers }: DnsAnswer, type: 'A' | 'AAAA' | 'NS' | 'CNAME'): string[] {
  return answers.flatMap((answer) => {
    if (answer.type !== type || !('data' in answer) || typeof answer.data !== 'string') return [];
    return [type === 'NS' || type === 'CNAME' ? `${answer.data.toLowerCase()}.` : answer.data];
  });
}

export function dsOf({ answers }: DnsAnswer): DsRecord[] {
  return answers.flatMap((answer) => {
    if (answer.type !== 'DS' || !('data' in answer)) return [];
    const { keyTag, algorithm, digestType, digest } = answer.data;
    return [{ keyTag, algorithm, digestType, digest: Buffer.from(digest).toString('hex') }];
  });
}

/** Returns the serial in a zone's SOA record, and how long negative answers are cached (RFC 2308 s5). */
export function soaOf({ answers }: DnsAnswer): { serial: number; negativeTtl: number } | undefined {
  const soa = answers.find((answer) => answer.type === 'SOA');
  if (soa?.type !== 'SOA') return undefined;
  const { serial = 0, minimum = 0 } = soa.data;
  return { serial, negativeTtl: Math.min(soa.ttl ?? 0, minimum) };
}
