import type { ReadMessage } from '@zonewright/dns-records';
import { BoundedMap, sourceNetwork } from '@zonewright/service-kit';
import type { RelayedKind } from '../stats/relay-counters.js';
import type { ReceivedMessage } from './received-message.js';

/** Maximum number of remembered senders. */
const MAX_KNOWN = 20_000;

/** Rank of a sender. Known senders come first; the others share the rest (FairSlots). */
export const RANK = {
  /** It has sent a valid signature from this network, or it is a primary of the zone. */
  KNOWN: 0,
  /** Its address is genuine: it uses TCP, or a cookie of this server (RFC 7873). */
  REACHABLE: 1,
  /** Its address may be forged. */
  UNKNOWN: 2,
} as const;

export interface Sender {
  readonly rank: (typeof RANK)[keyof typeof RANK];
  /** Name under which it is counted. */
  readonly name: string;
  /**
   * Owner of the share that the sender uses. A known sender has its own share. Other senders use the share of their
   * network.
   */
  readonly owner: string;
}

/** Senders with valid messages. */
export class Senders {
  readonly #known = new BoundedMap<string, true>(MAX_KNOWN);

  identify(kind: RelayedKind, received: ReceivedMessage, message: ReadMessage): Sender {
    const network = sourceNetwork(received.source);
    const name = nameOf(kind, { received, message, network });
    if (this.#known.has(name)) return { rank: RANK.KNOWN, name, owner: name };
    const isReachable = received.transport === 'tcp' || received.hasCookie === true;
    return { rank: isReachable ? RANK.REACHABLE : RANK.UNKNOWN, name, owner: network };
  }

  remember({ name }: Sender): void {
    this.#known.set(name, true);
  }
}

/**
 * Returns the name of a sender. A primary is known by its address and zone, other senders by their key and their
 * network.
 */
function nameOf(
  kind: RelayedKind,
  {
    received: { source },
    message,
    network,
  }: {
    readonly received: ReceivedMessage;
    readonly message: ReadMessage;
    readonly network: string;
  },
): string {
  if (kind === 'notify') return `notify ${zoneOf(message)} ${source}`;
  return `key ${textOf(message.tsig?.keyName)} ${network}`;
}

export function zoneOf({ questions: [zone] }: ReadMessage): string {
  return textOf(zone?.name).toLowerCase();
}

function textOf(octets: Uint8Array = new Uint8Array()): string {
  return Buffer.from(octets).toString('latin1');
}
