import { nameToWire, rdataToWire } from '@zonewright/dns-records';

import { isSameName, type LookupName, toLookupName } from '../wire/lookup-name.js';
import type { AnswerSettings } from './answer-settings.js';

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

  /** Rdata of TXT, or null if the name has none. */
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
