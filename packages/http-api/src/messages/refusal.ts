/** Reasons for which a request is rejected before an operation receives it, with their status. */
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

/** Details of a refusal; which of them are present depends on the code. */
interface RefusalFacts {
  /** Accepted methods or media types. */
  readonly offered?: readonly string[];
  /** Value that was sent. */
  readonly given?: string;
  /** Limit that was exceeded. */
  readonly most?: number;
  /** Message of the parser. */
  readonly detail?: string;
}

/** Request that is rejected before an operation receives it. Each API renders it with its own text and format. */
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

/** Text for each refusal in one API. */
export type RefusalTexts = Readonly<Record<RefusalCode, (facts: Required<RefusalFacts>) => string>>;

export function describeRefusal(texts: RefusalTexts, { code, facts }: Refusal): string {
  return texts[code]({ offered: [], given: '', most: 0, detail: '', ...facts });
}
