/** A message for others to answer, as it came: a dynamic update (RFC 2136), or a query whose key is not known here. */
export interface ReceivedMessage {
  readonly octets: Uint8Array;
  /** To a query: the answer, to be signed. */
  readonly answer?: Uint8Array | undefined;
  /** The address that it came from. */
  readonly source: string;
  readonly transport: 'udp' | 'tcp';
  /** Whether the sender has shown a server cookie of ours (RFC 7873). */
  readonly hasCookie?: boolean | undefined;
}

/** The answer to a message that is relayed; undefined: it gets none. */
export type AnswerRelayed = (message: ReceivedMessage) => Promise<Uint8Array | undefined>;
