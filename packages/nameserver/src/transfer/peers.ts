import { type FeedPeer, type Keyring, secretIdentity } from '@zonewright/database';
import { TSIG_ALGORITHMS, type TsigKey } from '@zonewright/dns-records';
import type { Logger } from '@zonewright/service-kit';

/** A peer whose key could be decrypted. */
export interface Peer extends Pick<FeedPeer, 'id' | 'networks' | 'notify' | 'updatedAt'> {
  readonly key: TsigKey;
  /** Undefined if it does not use a catalog zone. */
  readonly catalogSerial: number | undefined;
}

/** The name of the catalog is below a reserved name (RFC 2606 s2) and contains an unguessable part. */
const CATALOG_NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.catalog\.invalid\.$/;

export function catalogName(peerId: string): string {
  return `${peerId}.catalog.invalid.`;
}

export function isCatalogName(name: string): boolean {
  return CATALOG_NAME.test(name);
}

/** Returns the peers by the names of their keys. Peers whose key cannot be decrypted are omitted and logged. */
export function openPeers(
  rows: readonly FeedPeer[],
  keyring: Keyring,
  log: Logger,
): ReadonlyMap<string, Peer> {
  const peers = new Map<string, Peer>();
  for (const row of rows) {
    try {
      peers.set(row.keyName, openPeer(row, keyring));
    } catch (error) {
      log.warn({ err: error, peer: row.id }, 'the key of a peer cannot be decrypted');
    }
  }
  return peers;
}

function openPeer(row: FeedPeer, keyring: Keyring): Peer {
  const { id, networks, notify, updatedAt, keyName, sealed, keyId } = row;
  const algorithm = TSIG_ALGORITHMS.find((known) => known === row.keyAlgorithm);
  if (algorithm === undefined) throw new Error(`There is no TSIG algorithm ${row.keyAlgorithm}.`);
  const secret = keyring.open({ sealed, keyId }, secretIdentity.peerKey(id));
  return {
    ...{ id, networks, notify, updatedAt },
    key: { name: keyName, algorithm, secret },
    catalogSerial: row.hasCatalog ? row.catalogSerial : undefined,
  };
}
