import { nameToWire, rdataToWire } from '@zonewright/dns-records';
import { isSameName, type LookupName, toLookupName } from '../wire/lookup-name.js';

/** Identity and limits of the server. Answers depend on them and on the zones. */
export interface AnswerSettings {
  /** NSID (RFC 5001), for example `ns1-1`. If empty, the option is not answered. */
  readonly nsid: Uint8Array;
  /** TXT of `version.bind` and `version.server` in class CHAOS. Null means REFUSED (RFC 4892 s3). */
  readonly versionText: string | null;
  /** TXT of `id.server` and `hostname.bind` in class CHAOS. Null means REFUSED. */
  readonly serverIdText: string | null;
  /**
   * Secrets of 16 octets. New cookies use the first; cookies made with any of them are accepted, so that a secret can
   * be rotated (RFC 9018 s5). All servers of a deployment share them.
   */
  readonly cookieSecrets: readonly Uint8Array[];
  /**
   * Longest UDP response, and the payload size announced in OPT. 1232 fits one unfragmented IPv6 packet of the smallest
   * allowed MTU: 1280 - 40 - 8 (RFC 9715 s3.1).
   */
  readonly maxUdpPayloadOctets: number;
  /** Timeout that edns-tcp-keepalive announces, in units of 100 ms (RFC 7828 s3.1). */
  readonly tcpIdleTimeoutDeciseconds: number;
}

/** Texts about the server in class CHAOS (RFC 4892 s3): rdata of TXT by name. Null if a text is kept secret. */
export class ChaosTexts {
  readonly #entries: readonly ChaosEntry[];

  constructor(settings: AnswerSettings) {
    const version = toRdata(settings.versionText);
    const serverId = toRdata(settings.serverIdText);
    this.#entries = [
      toEntry('version.bind.', version),
      toEntry('version.server.', version),
      toEntry('id.server.', serverId),
      toEntry('hostname.bind.', serverId),
    ];
  }

  /** Returns the rdata of the TXT record, or null if the name has none. */
  find(name: LookupName): Uint8Array | null {
    for (const entry of this.#entries) {
      if (isSameName(entry.name, name)) return entry.rdata;
    }
    return null;
  }
}

interface ChaosEntry {
  readonly name: LookupName;
  readonly rdata: Uint8Array | null;
}

function toEntry(name: string, rdata: Uint8Array | null): ChaosEntry {
  return { name: toLookupName(nameToWire(name)), rdata };
}

function toRdata(text: string | null): Uint8Array | null {
  return text === null ? null : rdataToWire('TXT', text, null);
}
