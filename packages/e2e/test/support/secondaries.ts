import { freePort } from '@zonewright/testkit';
import type { ForeignKey } from './compared-zones.js';
import { adaptNsd, type ForeignName, ForeignNameserver } from './foreign-nameserver.js';

/** Members of a key in the response to the creation of a peer. */
export interface PeerBody {
  readonly id: string;
  /** Null if the peer has no catalog zone. */
  readonly catalog_zone: string | null;
  readonly key: ForeignKey;
}

/** External nameserver that is a secondary of this service. */
interface SecondaryKind {
  readonly name: ForeignName;
  readonly algorithm: string;
  readonly hasCatalogs: boolean;
  /** Changes of the configuration that a test needs. */
  readonly adapt: (config: string) => string;
  /** Whether it requires this key for its own transfers. */
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

  /** `createPeer` creates its peer, which is notified at this port. */
  static async prepare(
    kind: SecondaryKind,
    createPeer: (port: number) => Promise<PeerBody>,
  ): Promise<Secondary> {
    const port = await freePort();
    return new Secondary(kind, port, await createPeer(port));
  }

  /** Configures the server for a zone, as in the recipe. */
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

  /** Key for its transfers. Undefined if it allows all clients. */
  get key(): ForeignKey | undefined {
    return this.kind.isSigned ? this.#peer.key : undefined;
  }
}
