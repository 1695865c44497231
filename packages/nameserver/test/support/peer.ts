import { randomBytes, randomUUID } from 'node:crypto';
import {
  type Database,
  generateKeyringText,
  parseKeyring,
  secretIdentity,
} from '@zonewright/database';
import {
  type MessageRecord,
  nameToWire,
  rcodeOf,
  readMessage,
  type ReadMessage,
  RR_CLASS,
  RR_TYPE,
  signRequest,
  TsigAnswerChecker,
  type TsigAlgorithm,
  type TsigKey,
  wireToName,
  writeMessage,
} from '@zonewright/dns-records';
import { exchangeUdp, type NameserverAddress } from '@zonewright/testkit';
import { TcpClient } from './tcp-client.js';

export const KEYRING_TEXT = generateKeyringText('t1');

export interface PeerToAdd {
  readonly networks?: readonly string[];
  readonly notify?: readonly { readonly address: string; readonly port: number }[];
  readonly zoneIds?: readonly string[];
  readonly hasCatalog?: boolean;
  readonly algorithm?: TsigAlgorithm;
}

export interface AddedPeer {
  readonly id: string;
  readonly key: TsigKey;
}

/** Adds a peer to the tenant of the test's zones, as dns-api does. */
export async function addPeer(db: Database, peer: PeerToAdd = {}): Promise<AddedPeer> {
  const { networks = [], notify = [], zoneIds, hasCatalog = false } = peer;
  const id = randomUUID();
  const { algorithm = 'hmac-sha256' } = peer;
  const secret = randomBytes(32);
  const { sealed, keyId } = parseKeyring(KEYRING_TEXT).seal(secret, secretIdentity.peerKey(id));
  await db.raw(
    `insert into dns.peers (id, tenant_id, name, networks, notify, all_domains, has_catalog, key_name, key_algorithm,
            secret_sealed, secret_key_id)
     values (?, 'tenant', 'peer', cast(? as jsonb), cast(? as jsonb), ?, ?, ?, ?, ?, ?)`,
    [
      ...[id, JSON.stringify(networks), JSON.stringify(notify), zoneIds === undefined, hasCatalog],
      ...[`peer-${id}.`, algorithm, sealed, keyId],
    ],
  );
  for (const zoneId of zoneIds ?? []) {
    await db.raw('insert into dns.zone_peers (peer_id, domain_id) values (?, ?)', [id, zoneId]);
  }
  return { id, key: { name: `peer-${id}.`, algorithm, secret } };
}

export interface TransferQuery {
  readonly key?: TsigKey;
  /** The serial of an IXFR; if it is not set, AXFR is requested. */
  readonly from?: number;
  readonly qtype?: number;
  readonly qclass?: number;
  readonly hasEdns?: boolean;
  readonly now?: number;
}

const OPT = {
  ...{ name: new Uint8Array(1), type: RR_TYPE.OPT, class: 1_232, ttl: 0 },
  rdata: new Uint8Array(),
};

/** Returns a signed query, and a checker for its answers. */
export function buildTransferQuery(
  zone: string,
  { key, from, qtype, qclass, now, hasEdns = false }: TransferQuery,
) {
  const name = nameToWire(zone);
  const type = qtype ?? (from === undefined ? RR_TYPE.AXFR : RR_TYPE.IXFR);
  const soa = Buffer.alloc(22);
  soa.writeUInt32BE(from ?? 0, 2);
  const record = { name, type: RR_TYPE.SOA, class: RR_CLASS.IN, ttl: 0, rdata: soa };
  const message = writeMessage({
    ...{ id: 4711, flags: 0, questions: [{ name, type, class: qclass ?? RR_CLASS.IN }] },
    ...{ answers: [], authorities: from === undefined ? [] : [record] },
    additionals: hasEdns ? [OPT] : [],
  });
  if (key === undefined) return { message, checker: undefined };
  const signed = signRequest(message, key, now ?? Date.now() / 1_000);
  return { message: signed.message, checker: new TsigAnswerChecker(key, signed.mac) };
}

export interface TransferResult {
  readonly rcode: number;
  readonly messages: readonly ReadMessage[];
  /** The records in the order of their arrival, as text. */
  readonly records: readonly string[];
}

/** Requests a transfer and reads all of it. Each message must be signed, unless it rejects the signature itself. */
export async function transfer(
  { host, port }: NameserverAddress,
  zone: string,
  query: TransferQuery,
): Promise<TransferResult> {
  const { message, checker } = buildTransferQuery(zone, query);
  const client = await TcpClient.connect({ host, port });
  client.send(message);
  const messages: ReadMessage[] = [];
  const records: MessageRecord[] = [];
  do {
    const octets = (await client.waitForMessages(messages.length + 1, 30_000))[messages.length]!;
    const read = readMessage(octets);
    messages.push(read);
    records.push(...read.answers);
    const isOfKeyFault = read.tsig !== undefined && read.tsig.mac.length === 0;
    const fault = isOfKeyFault ? undefined : checker?.check(octets, read.tsig, Date.now() / 1_000);
    if (fault !== undefined) throw new Error(`a message with ${fault}`);
  } while (rcodeOf(messages[0]!) === 0 && !isWhole(records, query.from));
  client.socket.destroy();
  return { rcode: rcodeOf(messages[0]!), messages, records: records.map(toText) };
}

/**
 * Returns whether an answer is complete, by the SOA at its beginning and end (RFC 5936, section 2.2; RFC 1995, section
 * 4).
 */
function isWhole(records: readonly MessageRecord[], from: number | undefined): boolean {
  const last = records.at(-1);
  if (records[0] === undefined || last?.type !== RR_TYPE.SOA) return false;
  const serial = serialOf(records[0]);
  if (records.length === 1) return from !== undefined && serial <= from;
  if (serialOf(last) !== serial) return false;
  return records.filter(({ type }) => type === RR_TYPE.SOA).length % 2 === 0;
}

function serialOf({ rdata }: MessageRecord): number {
  return Buffer.from(rdata).readUInt32BE(rdata.length - 20);
}

export function toText({ name, type, ttl, rdata }: MessageRecord): string {
  const data =
    type === RR_TYPE.SOA
      ? `serial ${Buffer.from(rdata).readUInt32BE(rdata.length - 20)}`
      : Buffer.from(rdata).toString('hex');
  return `${wireToName(name)} ${ttl} ${type} ${data}`;
}

/** Returns the answer over UDP, with the fault of its TSIG if there is one. */
export async function askSigned(address: NameserverAddress, zone: string, query: TransferQuery) {
  const { message, checker } = buildTransferQuery(zone, query);
  const octets = await exchangeUdp(address, Buffer.from(message));
  const answer = readMessage(octets);
  return { answer, fault: checker?.check(octets, answer.tsig, Date.now() / 1_000) };
}
