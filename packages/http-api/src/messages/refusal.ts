/** Why HTTP itself refuses a request, before any operation decides about it, and with which status. */
export const REFUSALS = {
  'no-such-resource': 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  'unsupported-type': 415,
  'unsupported-charset': 415,
  'unsupported-encoding': 415,
  'body-too-large': 413,
  'body-unreadable': 400,
  'body-broken-off': 400,
  'body-empty': 400,
  'not-utf8': 400,
  'not-json': 400,
  'not-xml': 400,
  'too-deep': 400,
  'too-many-values': 400,
  'path-not-encoded': 400,
  'not-http': 400,
  'too-slow': 408,
  'header-too-large': 431,
} as const;

export type RefusalCode = keyof typeof REFUSALS;
export type RefusalStatus = (typeof REFUSALS)[RefusalCode];

/** What an API may say about a refusal; which of it there is depends on the code. */
interface RefusalFacts {
  /** The methods or media types that would do. */
  readonly offered?: readonly string[];
  /** What was sent instead. */
  readonly given?: string;
  /** The bound that was passed. */
  readonly most?: number;
  /** The parser's own words. */
  readonly detail?: string;
}

/** A request that HTTP itself refuses. Each API has its own words and its own form for it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly status: RefusalStatus;
  readonly facts: RefusalFacts;

  constructor(code: RefusalCode, facts: RefusalFacts = {}) {
    super(code);
    this.code = code;
    this.status = REFUSALS[code];
    this.facts = facts;
  }
}

/** How an API puts each refusal into words. */
export type RefusalTexts = Readonly<Record<RefusalCode, (facts: Required<RefusalFacts>) => string>>;

export function describeRefusal(texts: RefusalTexts, { code, facts }: Refusal): string {
  return texts[code]({ offered: [], given: '', most: 0, detail: '', ...facts });
}
