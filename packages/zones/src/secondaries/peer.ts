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
  /** Networks that may request transfers. Empty allows any network, with the key. */
  readonly networks: readonly string[];
  readonly notify: readonly NotifyTarget[];
  /** The ids of the zones that it may take; null: all of the tenant. */
  readonly zoneIds: readonly string[] | null;
  readonly hasCatalog: boolean;
}

/** Servers of a tenant that take its zones by transfer, and their key, but for its secret. */
export interface Peer extends PeerContent {
  readonly id: string;
  readonly keyName: string;
  readonly keyAlgorithm: TsigKey['algorithm'];
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp | null;
}

/** Name of the peer's catalog zone: nobody can guess it, and it lies below a name that nobody can register (RFC 2606 s2). */
export function catalogName(peerId: string): string {
  return `${peerId}.catalog.invalid.`;
}

/** How far a peer is with a zone. */
export interface PeerState {
  readonly peerId: string;
  readonly name: string;
  /** The latest serial that it transferred, or queried; null: it never asked. */
  readonly serial: number | null;
  readonly askedAt: Timestamp | null;
  readonly notifiedSerial: number | null;
  /** An RCODE, or `no answer`. */
  readonly notifyAnswer: string | null;
  readonly notifiedAt: Timestamp | null;
  /** Reason why this service has not given it the zone since; null: there is none. */
  readonly problem: string | null;
  /** How long it has been behind, in seconds; 0: it is up to date; null: it never asked. */
  readonly lagSeconds: number | null;
}
