import {
  MessageSyntaxError,
  RCODE,
  readMessage,
  type Tsig,
  TSIG_ERROR,
} from '@zonewright/dns-records';
import type { ReceivedMessage } from './received-message.js';
import { RANK, type Sender } from './senders.js';

/** Maximum number of failed signatures per owner and second. A misconfigured client sends a few. */
const MOST = 20;
const SECOND_MS = 1_000;

type Transport = ReceivedMessage['transport'];

/**
 * Counts failed signatures by known sender or network: when there are too many, its messages are not relayed for the
 * rest of the second. UDP and TCP count separately, so datagrams with a forged address do not affect the TCP
 * connections of its owner.
 */
export class WrongSignatures {
  readonly #counts = new Map<string, number>();
  #second = 0;

  hasTooMany(transport: Transport, sender: Sender): boolean {
    this.#forget();
    return (this.#counts.get(originOf(transport, sender)) ?? 0) >= MOST;
  }

  /** Counts the response to a message of the sender. Returns whether it shows a valid signature. */
  look(transport: Transport, sender: Sender, answer: Uint8Array): boolean {
    const isRefused = ((answer[3] ?? 0) & 0xf) === RCODE.NOTAUTH;
    // For a known sender, only refused messages are examined further.
    if (sender.rank === RANK.KNOWN && !isRefused) return true;
    const tsig = tsigOf(answer);
    if (tsig === undefined) return false;
    const isWrong = tsig.error === TSIG_ERROR.BADSIG || tsig.error === TSIG_ERROR.BADKEY;
    if (!isRefused || !isWrong) return tsig.mac.length > 0;
    this.#forget();
    const origin = originOf(transport, sender);
    this.#counts.set(origin, (this.#counts.get(origin) ?? 0) + 1);
    return false;
  }

  #forget(): void {
    const second = Math.floor(performance.now() / SECOND_MS);
    if (second === this.#second) return;
    this.#second = second;
    this.#counts.clear();
  }
}

function originOf(transport: Transport, { owner }: Sender): string {
  return `${transport} ${owner}`;
}

/** Returns the TSIG of a response, which is signed if the signature was valid (RFC 8945 s5.2.1, s5.2.2). */
function tsigOf(answer: Uint8Array): Tsig | undefined {
  try {
    return readMessage(answer).tsig;
  } catch (error) {
    if (error instanceof MessageSyntaxError) return undefined;
    throw error;
  }
}
