import { RCODE, readMessage, TSIG_ERROR } from '@zonewright/dns-records';
import { sourceNetwork } from '@zonewright/service-kit';
import type { ReceivedMessage } from './received-message.js';

type Arrival = Pick<ReceivedMessage, 'source' | 'transport'>;

/** Of one network in a second. A client that is set up wrongly sends a few. */
const MOST = 20;
const SECOND_MS = 1_000;

/**
 * Messages whose signature turned out to be wrong, by network: a flood of them is not relayed for the rest of the second. With other
 * sources each time it is bounded as all messages are (Places). UDP and TCP count apart: whoever writes another's address into datagrams
 * does not reach its connections.
 */
export class WrongSignatures {
  readonly #counts = new Map<string, number>();
  #second = 0;

  hasTooMany(arrival: Arrival): boolean {
    this.#forget();
    return (this.#counts.get(originOf(arrival)) ?? 0) >= MOST;
  }

  /** The answer to a message from there. */
  look(arrival: Arrival, answer: Uint8Array): void {
    if (!saysWrongSignature(answer)) return;
    this.#forget();
    const origin = originOf(arrival);
    this.#counts.set(origin, (this.#counts.get(origin) ?? 0) + 1);
  }

  #forget(): void {
    const second = Math.floor(performance.now() / SECOND_MS);
    if (second === this.#second) return;
    this.#second = second;
    this.#counts.clear();
  }
}

function originOf({ source, transport }: Arrival): string {
  return `${transport} ${sourceNetwork(source)}`;
}

/** RFC 8945 s5.2.1, s5.2.2. */
function saysWrongSignature(answer: Uint8Array): boolean {
  // Of an answer to a right signature nothing more is read than this.
  if (((answer[3] ?? 0) & 0xf) !== RCODE.NOTAUTH) return false;
  const { tsig } = readMessage(answer);
  return tsig?.error === TSIG_ERROR.BADSIG || tsig?.error === TSIG_ERROR.BADKEY;
}
