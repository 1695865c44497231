/** Length field before each message over TCP, two octets (RFC 1035 s4.2.2, RFC 7766 s8). */
export const LENGTH_OCTETS = 2;

const NOTHING = new Uint8Array(0);

/**
 * Splits a stream of octets, in pieces of any size, into messages. It buffers only what has arrived: an announced
 * length reserves no memory.
 */
export class MessageFraming {
  #octets: Uint8Array = NOTHING;
  #start = 0;
  #end = 0;

  /** Appends octets of the stream. They must not change until all their messages have been read. */
  push(chunk: Uint8Array): void {
    const pending = this.#end - this.#start;
    if (pending === 0) {
      this.#octets = chunk;
      this.#start = 0;
      this.#end = chunk.length;
      return;
    }
    if (this.#end + chunk.length > this.#octets.length) this.#makeRoom(pending + chunk.length);
    this.#octets.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** Returns the next complete message, valid until the next push. Undefined if more octets are needed. */
  next(): Uint8Array | undefined {
    const pending = this.#end - this.#start;
    if (pending < LENGTH_OCTETS) return undefined;
    const length = (this.#octets[this.#start]! << 8) | this.#octets[this.#start + 1]!;
    if (pending < LENGTH_OCTETS + length) return undefined;
    const messageStart = this.#start + LENGTH_OCTETS;
    this.#start = messageStart + length;
    return this.#octets.subarray(messageStart, this.#start);
  }

  /** Makes room. Doubling avoids a copy for each octet of a slow sender. */
  #makeRoom(needed: number): void {
    const roomier = new Uint8Array(needed * 2);
    const pending = this.#octets.subarray(this.#start, this.#end);
    roomier.set(pending);
    this.#octets = roomier;
    this.#start = 0;
    this.#end = pending.length;
  }
}
