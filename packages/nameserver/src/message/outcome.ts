/** Outcomes of a query. Statistics count queries by outcome. */
export const OUTCOME = {
  /** Nothing is sent: the message is a response, or too short to be a message. */
  DROP: 0,
  ANSWER: 1,
  /** A CNAME chain that ends outside of this server's zones, loops or is too long. */
  CNAME: 2,
  REFERRAL: 3,
  NODATA: 4,
  NXDOMAIN: 5,
  REFUSED: 6,
  SERVFAIL: 7,
  FORMERR: 8,
  NOTIMP: 9,
  BADVERS: 10,
  NOTAUTH: 11,
} as const;

export type Outcome = (typeof OUTCOME)[keyof typeof OUTCOME];

/** Names of the outcomes in metrics, by number. */
export const OUTCOME_NAMES: readonly string[] = Object.keys(OUTCOME).map((name) =>
  name.toLowerCase(),
);
