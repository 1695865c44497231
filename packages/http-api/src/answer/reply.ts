import type { Writable } from 'node:stream';
import type { Representation } from '../representation/resource.js';

/** A body that is written in the format that the client accepts: JSON, or where there is `toXml`, XML. */
export interface WrittenBody {
  readonly toJson: () => string | Buffer;
  readonly toXml?: Representation['toXml'] | undefined;
}

/** A body without an end of its own: written as things happen, for as long as both sides want it. */
export interface LiveBody {
  /** Called once, when the head has been sent; to end or destroy `client` ends the answer. */
  readonly open: (client: Writable) => void;
}

/** What an operation answers. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and octets have their Content-Type among the headers; pieces are written one by one. Undefined: none. */
  readonly body?: string | Buffer | AsyncIterable<string | Buffer> | WrittenBody | LiveBody;
}
