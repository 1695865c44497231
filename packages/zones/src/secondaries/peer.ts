import type { Timestamp } from '../rows/statements.js';
import type { TsigKey } from './tsig-key.js';

/** Destination of NOTIFY. */
export interface NotifyTarget {
  readonly address: string;
  readonly port: number;
}

/** Settable properties of a peer. */
export interface PeerContent {
  readonly name: string;
  /** Networks that may request transfers. Empty means any network, with the key. */
  readonly networks: readonly string[];
  readonly notify: readonly NotifyTarget[];
  /** Ids of the zones that it may transfer. Null means all zones of the tenant. */
  readonly zoneIds: readonly string[] | null;
  readonly hasCatalog: boolean;
}

/** Servers of a tenant that transfer its zones, with their key except for its secret. */
export interface Peer extends PeerContent {
  readonly id: string;
  readonly keyName: string;
  readonly keyAlgorithm: TsigKey['algorithm'];
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp | null;
}

/**
 * Returns the name of the peer's catalog zone. It cannot be guessed, and is below a name that nobody can register (RFC
 * 2606 s2).
 */
export function catalogName(peerId: string): string {
  return `${peerId}.catalog.invalid.`;
}

/** Progress of a peer with a zone. */
export interface PeerState {
  readonly peerId: string;
  readonly name: string;
  /** Latest serial that it transferred or queried. Null if there was no request. */
  readonly serial: number | null;
  readonly askedAt: Timestamp | null;
  readonly notifiedSerial: number | null;
  /** RCODE, or `no answer`. */
  readonly notifyAnswer: string | null;
  readonly notifiedAt: Timestamp | null;
  /** Reason why this service has not sent the zone since. Null if there is none. */
  readonly problem: string | null;
  /** Time for which it has been behind, in seconds. 0 if it is up to date; null if there was no request. */
  readonly lagSeconds: number | null;
}
