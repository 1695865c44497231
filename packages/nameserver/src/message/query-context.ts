import {
  EXTENDED_ERROR,
  type ReadMessage,
  type TsigFault,
  type TsigKey,
} from '@zonewright/dns-records';
import { NOT_FOUND } from '../image/directory.js';
import type { ImageReader } from '../image/image-reader.js';
import { IMAGE_STATE } from '../image/layout.js';
import { EdnsRequest, resetEdns } from '../wire/edns.js';
import { headerOpcode } from '../wire/header.js';
import { LookupName } from '../wire/lookup-name.js';
import { HEADER_OCTETS, RCODE } from '../wire/protocol.js';
import { ResponseWriter } from './response-writer.js';
import { type AnswerSettings, ChaosTexts } from './answer-settings.js';
import { OUTCOME, type Outcome } from './outcome.js';
import { ServerCookies } from './server-cookies.js';

/** Finds a TSIG key by its absolute name in lower case. */
export type FindKey = (name: string) => TsigKey | undefined;

/** A query with TSIG. */
export interface SignedQuery {
  readonly message: ReadMessage;
  /** Undefined if this server does not know the key. */
  readonly key: TsigKey | undefined;
  readonly fault: TsigFault | undefined;
}

export const TRANSPORT = { UDP: 0, TCP: 1 } as const;

export type Transport = (typeof TRANSPORT)[keyof typeof TRANSPORT];

export const NO_EXTENDED_ERROR = -1;
export const NO_TSIG = -1;

/** Maximum number of CNAMEs that are followed for a query. BIND follows as many; resolvers give up earlier. */
export const MAX_CNAME_CHAIN = 16;

/**
 * Maximum number of optional address RRsets in a response. A response over UDP has no room for as many, so this
 * limits the work over TCP.
 */
export const MAX_ADDITIONAL_RRSETS = 64;

/** Maximum number of proofs: three for the last name of a chain, and one for each wildcard CNAME on the way. */
const MAX_PROOFS = MAX_CNAME_CHAIN + 3;

/** Maximum number of zones: one for the question, one for each CNAME, and some for additional data. */
const MAX_ZONES_OF_ONE_QUERY = 32;

/**
 * State of one query while it is answered. A socket or worker owns one context and uses it for all its queries, so that
 * answering allocates nothing. Every field is set here and keeps its type.
 *
 * For each query the transport sets the fields of the first group and calls `handleQuery(context)`. It sends as many
 * octets of `output` from `outputStart` as the function returned (none if 0). It also reads the results for statistics
 * and rate limiting.
 */
export class QueryContext {
  // --- Set by the transport for each query (fields that do not change may keep their value) ---

  /** Memory that contains the query. It is never written to, and the response does not overlap the query. */
  input: Uint8Array = new Uint8Array(0);
  inputStart = 0;
  inputLength = 0;
  /** Memory for the response, without the two length octets of TCP. */
  output: Uint8Array = new Uint8Array(0);
  outputStart = 0;
  /** Octets available at `outputStart`: at least 512, or 65,535 over TCP. No response is longer. */
  outputCapacity = 0;
  transport: Transport = TRANSPORT.UDP;
  /** Address in sixteen octets. An IPv4 address is ::ffff:a.b.c.d. Cookies are bound to the address (RFC 9018 s4). */
  readonly sourceAddress = new Uint8Array(16);
  /** Current time in seconds since 1970. */
  clockSeconds = 0;
  /** TSIG keys that this server accepts. Null if there are none. */
  findKey: FindKey | null = null;
  /** Whether responses to queries signed with unknown keys are passed on to be signed. */
  isRelaying = false;

  // --- Results, valid after handleQuery() ---

  outcome: Outcome = OUTCOME.DROP;
  /** RCODE with its extended part, twelve bits (RFC 6891 s6.1.3). */
  rcode = 0;
  opcode = 0;
  /** QTYPE. 0 if no question could be read. */
  qtype = 0;
  qclass = 0;
  /** Whether the response has TC set. */
  isTruncated = false;
  /**
   * Whether the client proved its address with a cookie of this server, so that rate limits do not apply (RFC 7873 s3).
   */
  hasValidCookie = false;
  /**
   * Identity of the answer for rate limiting, 32 bits. It is equal for all questions that a flood could vary without
   * getting another answer. Examples are names under one wildcard, missing names of one zone, and names below one
   * cut.
   */
  answerIdentity = 0;
  /** Programming error that was answered with SERVFAIL, for the transport to log. Null otherwise. */
  fault: unknown = null;

  /** Known TSIG key of the query (RFC 8945). Null for all other queries. */
  signed: SignedQuery | null = null;
  /**
   * Whether the response must not be sent yet: the DNS API checks the query's TSIG and signs the response, which has
   * room for a TSIG.
   */
  awaitsSignature = false;

  // --- Working state of the folder answer/ ---

  /** Flags of the response: AA and TC. */
  flags = 0;
  readonly edns = new EdnsRequest();
  /** EDE info code of the response (RFC 8914), or NO_EXTENDED_ERROR. */
  extendedError = NO_EXTENDED_ERROR;
  /** Offset of the first octet after the question or, without a question, after the header. */
  questionEnd = HEADER_OCTETS;
  /** Offset in `input` of the TSIG record's owner, or NO_TSIG. */
  tsigStart = NO_TSIG;
  /** Name in the question, then each name that a CNAME points to. */
  searchName = new LookupName();
  /** Zone that answers the question, or NOT_FOUND. Its version is told to clients that ask for it (RFC 9660). */
  zoneOfQuestion = NOT_FOUND;
  /** Zone of `searchName`, and the result of `locate` in it. */
  zone = 0;
  node = 0;
  nodeAncestor = 0;
  /** The zones used for this query, so that all parts of the response come from one version of each. */
  readonly zones = offsets(MAX_ZONES_OF_ONE_QUERY);
  zoneCount = 0;
  /** Whether the search name is the apex of a hosted zone, and its parent answers the question (find-zone.ts). */
  isAskedOfParent = false;
  /** CNAME RRsets that were followed, and the hashes of their owner names. */
  readonly chain = offsets(MAX_CNAME_CHAIN);
  readonly chainOwners = new Int32Array(MAX_CNAME_CHAIN);
  chainLength = 0;
  /** Name in rdata whose addresses are looked up. */
  targetName = new LookupName();
  /** Address RRsets in the additional section, without glue. */
  readonly addresses = offsets(MAX_ADDITIONAL_RRSETS);
  addressCount = 0;
  /** Alternating zones and nodes whose NSEC or NSEC3 is still to be written (proofs.ts). */
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

  /** Whether the query had an OPT record. */
  get hasEdns(): boolean {
    return this.edns.isPresent;
  }
}

/** Creates a list of numbers of any size. They stay 32-bit integers while the image is small enough (layout.ts). */
function offsets(length: number): number[] {
  return Array.from({ length }, () => 0);
}

/** Resets results and working state before a query is read. */
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
  context.zoneOfQuestion = NOT_FOUND;
  context.zoneCount = 0;
  context.chainLength = 0;
  context.addressCount = 0;
  context.proofCount = 0;
}
