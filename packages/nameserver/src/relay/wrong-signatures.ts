import { RCODE, readMessage, TSIG_ERROR } from '@zonewright/dns-records';

/** Of one network in a second. A client that is set up wrongly sends a few. */
const MOST = 20;
const SECOND_MS = 1_000;

/**
 * Messages whose signature turned out to be wrong, by network: a flood of them is not relayed for the rest of the second. With other
 * sources each time it is bounded as all messages are (Places).
 */
export class WrongSignatures {
  readonly #ofNetwork = new Map<string, number>();
  #second = 0;

  hasTooMany(network: string): boolean {
    this.#forget();
    return (this.#ofNetwork.get(network) ?? 0) >= MOST;
  }

  /** The answer to a message from there. */
  look(network: string, answer: Uint8Array): void {
    if (!saysWrongSignature(answer)) return;
    this.#forget();
    this.#ofNetwork.set(network, (this.#ofNetwork.get(network) ?? 0) + 1);
  }

  #forget(): void {
    const second = Math.floor(performance.now() / SECOND_MS);
    if (second === this.#second) return;
    this.#second = second;
    this.#ofNetwork.clear();
  }
}

/** RFC 8945 s5.2.1, s5.2.2. */
function saysWrongSignature(answer: Uint8Array): boolean {
  // Of an answer to a right signature nothing more is read than this.
  if (((answer[3] ?? 0) & 0xf) !== RCODE.NOTAUTH) return false;
  const { tsig } = readMessage(answer);
  return tsig?.error === TSIG_ERROR.BADSIG || tsig?.error === TSIG_ERROR.BADKEY;
}
