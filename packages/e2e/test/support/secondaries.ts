import { freePort } from '@zonewright/testkit';
import type { ForeignKey } from './compared-zones.js';
import { adaptNsd, type ForeignName, ForeignNameserver } from './foreign-nameserver.js';

/** What the answer to the creation of a peer has of its key. */
export interface PeerBody {
  readonly id: string;
  /** Null: it wants none. */
  readonly catalog_zone: string | null;
  readonly key: ForeignKey;
}

/** Somebody else's nameserver that is a secondary of ours. */
interface SecondaryKind {
  readonly name: ForeignName;
  readonly algorithm: string;
  readonly hasCatalogs: boolean;
  /** What a test needs beside the recipe. */
  readonly adapt: (config: string) => string;
  /** It transfers to who signs with this key. */
  readonly isSigned: boolean;
}

export const KINDS: readonly SecondaryKind[] = [
  {
    name: 'bind',
    algorithm: 'hmac-sha256',
    hasCatalogs: true,
    adapt: (config) =>
      `controls { };\n${config.replace('recursion no;', 'recursion no; pid-file none; lock-file none; session-keyfile none;')}`,
    isSigned: true,
  },
  {
    name: 'knot',
    algorithm: 'hmac-sha512',
    hasCatalogs: true,
    adapt: (config) => config.replace('action: [notify]', 'action: [notify, transfer]'),
    isSigned: true,
  },
  {
    name: 'nsd',
    algorithm: 'hmac-sha256',
    hasCatalogs: false,
    adapt: (config) => `${adaptNsd(config)}    provide-xfr: 127.0.0.1 NOKEY\n`,
    isSigned: false,
  },
  {
    name: 'powerdns',
    algorithm: 'hmac-sha1',
    hasCatalogs: true,
    adapt: (config) =>
      `${config}allow-axfr-ips=127.0.0.1\nsocket-dir=/var/lib/powerdns\nsetuid=\nsetgid=\n`,
    isSigned: false,
  },
];

export class Secondary extends ForeignNameserver {
  readonly kind: SecondaryKind;
  readonly #peer: PeerBody;

  private constructor(kind: SecondaryKind, port: number, peer: PeerBody) {
    super(kind.name, port);
    this.kind = kind;
    this.#peer = peer;
  }

  /** `createPeer` makes the peer that stands for it, which is told of changes at this port. */
  static async prepare(
    kind: SecondaryKind,
    createPeer: (port: number) => Promise<PeerBody>,
  ): Promise<Secondary> {
    const port = await freePort();
    return new Secondary(kind, port, await createPeer(port));
  }

  /** For a zone, with the recipe's configuration. */
  follow(zone: string, nameserverPort: number): void {
    const { catalog_zone: catalog, key } = this.#peer;
    this.configure({
      page: 'secondaries',
      values: {
        'example.com': zone.slice(0, -1),
        CATALOG: catalog?.slice(0, -1) ?? '',
        KEY_NAME: key.name.slice(0, -1),
        ALGORITHM: key.algorithm,
        SECRET: key.secret,
      },
      nameserverPort,
      adapt: this.kind.adapt,
    }).runCommands();
  }

  /** With which it transfers; undefined: to everybody. */
  get key(): ForeignKey | undefined {
    return this.kind.isSigned ? this.#peer.key : undefined;
  }
}
