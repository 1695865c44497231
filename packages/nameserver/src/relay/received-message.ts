/** A received message that another program must answer: an update (RFC 2136), or a query with an unknown key. */
export interface ReceivedMessage {
  readonly octets: Uint8Array;
  /** For a query, the response to be signed. */
  readonly answer?: Uint8Array | undefined;
  /** Source address. */
  readonly source: string;
  readonly transport: 'udp' | 'tcp';
  /** Whether the sender presented a cookie of this server (RFC 7873). */
  readonly hasCookie?: boolean | undefined;
}

/** Returns the response to a relayed message. Undefined if it gets none. */
export type AnswerRelayed = (message: ReceivedMessage) => Promise<Uint8Array | undefined>;
