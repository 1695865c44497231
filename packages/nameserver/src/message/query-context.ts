import type { ReadMessage, TsigFault, TsigKey } from '@zonewright/dns-records';
import type { ImageReader } from '../image/image-reader.js';
import { IMAGE_STATE } from '../image/layout.js';
import { EdnsRequest, resetEdns } from '../wire/edns.js';
import { headerOpcode } from '../wire/header.js';
import { LookupName } from '../wire/lookup-name.js';
import { EXTENDED_ERROR, HEADER_OCTETS, RCODE } from '../wire/protocol.js';
import { ResponseWriter } from './response-writer.js';
import { type AnswerSettings, ChaosTexts } from './answer-settings.js';
import { OUTCOME, type Outcome } from './outcome.js';
import { ServerCookies } from './server-cookies.js';

/** A key by its absolute name in lower case. */
export type FindKey = (name: string) => TsigKey | undefined;

/** A query with TSIG. */
export interface SignedQuery {
  readonly message: ReadMessage;
  /** Undefined: nobody here knows it. */
  readonly key: TsigKey | undefined;
  readonly fault: TsigFault | undefined;
}

export const TRANSPORT = { UDP: 0, TCP: 1 } as const;

export type Transport = (typeof TRANSPORT)[keyof typeof TRANSPORT];

export const NO_EXTENDED_ERROR = -1;
export const NO_TSIG = -1;

/** CNAMEs followed for one query: as many as BIND follows; resolvers give up earlier. */
export const MAX_CNAME_CHAIN = 16;

/** Address RRsets put into one answer without need: more than fit one over UDP, and a bound on work over TCP. */
export const MAX_ADDITIONAL_RRSETS = 64;

/** Three for the last name of a chain, and one for each CNAME of a wildcard that led there. */
const MAX_PROOFS = MAX_CNAME_CHAIN + 3;

/** One for the question, one for each CNAME, and some for additional data. */
const MAX_ZONES_OF_ONE_QUERY = 32;

/**
 * Everything one query needs while it is answered. A socket or worker owns one context and uses it for all its
 * queries, so that answering allocates nothing. Every field is set here and keeps its type.
 *
 * For each query the transport sets the fields of the first group and calls `handleQuery(context)`. It sends as many
 * octets of `output` from `outputStart` as the function returned (none if 0). It also reads the results for
 * statistics and rate limiting.
 */
export class QueryContext {
  // --- Set by the transport for each query (what does not change may be left as it is) ---

  /** Memory that contains the query. It is not written to, and the response does not overlap the query. */
  input: Uint8Array = new Uint8Array(0);
  inputStart = 0;
  inputLength = 0;
  /** Memory for the response, without the two length octets of TCP. */
  output: Uint8Array = new Uint8Array(0);
  outputStart = 0;
  /** Room at `outputStart`: at least 512 octets, 65,535 for TCP. No response is longer than this. */
  outputCapacity = 0;
  transport: Transport = TRANSPORT.UDP;
  /** Sixteen octets; an IPv4 address as ::ffff:a.b.c.d. Cookies are bound to it (RFC 9018 s4). */
  readonly sourceAddress = new Uint8Array(16);
  /** Seconds since 1970. */
  clockSeconds = 0;
  /** Keys by which queries may be signed; null: there are none. */
  findKey: FindKey | null = null;
  /** Answers to queries that are signed with other keys are handed over to be signed. */
  isRelaying = false;

  // --- Results, valid after handleQuery() ---

  outcome: Outcome = OUTCOME.DROP;
  /** Twelve bits: with the extended part (RFC 6891 s6.1.3). */
  rcode = 0;
  opcode = 0;
  /** Type in the question; 0 if there was no question to read. */
  qtype = 0;
  qclass = 0;
  /** The response has TC set. */
  isTruncated = false;
  /** The client proved its address by a server cookie of ours: not subject to rate limits (RFC 7873 s3). */
  hasValidCookie = false;
  /**
   * Identity of the answer for rate limiting, 32 bits. It is equal for all questions that a flood could vary without
   * getting another answer. Examples are names under one wildcard, missing names of one zone, and names below one
   * cut.
   */
  answerIdentity = 0;
  /** A programming error that became SERVFAIL; the transport logs it. Null otherwise. */
  fault: unknown = null;

  /** The query had a TSIG whose key is known (RFC 8945); null: it is as any other. */
  signed: SignedQuery | null = null;
  /** Not to be sent before others have checked the query's TSIG and signed the answer, for which there is room. */
  awaitsSignature = false;

  // --- Working state of the folder answer/ ---

  /** Flags of the response: AA and TC. */
  flags = 0;
  readonly edns = new EdnsRequest();
  /** EDE info code to send (RFC 8914), or NO_EXTENDED_ERROR. */
  extendedError = NO_EXTENDED_ERROR;
  /** First octet behind the question, from the start of the message; that of the header's end if there is none. */
  questionEnd = HEADER_OCTETS;
  /** Offset in `input` at which the owner of TSIG begins, or NO_TSIG. */
  tsigStart = NO_TSIG;
  /** The question's name; then, one after the other, the names that CNAMEs lead to. */
  readonly searchName = new LookupName();
  /** The zone of `searchName`, and what `locate` found there. */
  zone = 0;
  node = 0;
  nodeAncestor = 0;
  /** The zones looked at for this query, so that all of it is answered from one version of each. */
  readonly zones = offsets(MAX_ZONES_OF_ONE_QUERY);
  zoneCount = 0;
  /** The search name is a hosted zone, and the question the parent's to answer (find-zone.ts). */
  isAskedOfParent = false;
  /** CNAME RRsets that were followed, and the hashes of the names they were followed from. */
  readonly chain = offsets(MAX_CNAME_CHAIN);
  readonly chainOwners = new Int32Array(MAX_CNAME_CHAIN);
  chainLength = 0;
  /** A name met in rdata whose addresses are looked for. */
  readonly targetName = new LookupName();
  /** Address RRsets in the additional section that are not glue. */
  readonly addresses = offsets(MAX_ADDITIONAL_RRSETS);
  addressCount = 0;
  /** Zones and nodes in turn: the NSEC or NSEC3 of these nodes are still to be written (proofs.ts). */
  readonly proofs = offsets(MAX_PROOFS * 2);
  proofCount = 0;
  readonly composedName = new LookupName();
  readonly response = new ResponseWriter();
  readonly cookies: ServerCookies;
  readonly chaosTexts: ChaosTexts;

  readonly image: ImageReader;
  readonly settings: AnswerSettings;

  constructor(image: ImageReader, settings: AnswerSettings) {
    this.image = image;
    this.settings = settings;
    this.cookies = new ServerCookies(settings.cookieSecrets);
    this.chaosTexts = new ChaosTexts(settings);
  }

  /** A result: the query carried OPT. */
  get hasEdns(): boolean {
    return this.edns.isPresent;
  }
}

/** Numbers of any size, which stay 32-bit ones where the image is small enough (layout.ts). */
function offsets(length: number): number[] {
  return Array.from({ length }, () => 0);
}

/** Sets results and working state to what they are before a query is read. */
export function resetContext(context: QueryContext): void {
  context.outcome = OUTCOME.DROP;
  context.rcode = RCODE.NOERROR;
  context.opcode = headerOpcode(context.input, context.inputStart);
  context.qtype = 0;
  context.qclass = 0;
  context.isTruncated = false;
  context.hasValidCookie = false;
  context.answerIdentity = 0;
  context.fault = null;
  context.signed = null;
  context.awaitsSignature = false;
  context.flags = 0;
  context.extendedError =
    context.image.state === IMAGE_STATE.STALE ? EXTENDED_ERROR.STALE_ANSWER : NO_EXTENDED_ERROR;
  resetEdns(context.edns);
  context.questionEnd = HEADER_OCTETS;
  context.tsigStart = NO_TSIG;
  context.zoneCount = 0;
  context.chainLength = 0;
  context.addressCount = 0;
  context.proofCount = 0;
}
