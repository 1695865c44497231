import { execFileSync } from 'node:child_process';
import type { KeyObject } from 'node:crypto';
import { rdataToWire, RR_TYPE, typeMnemonic, wireToName } from '../../src/index.js';
import {
  canonicalKey,
  type CanonicalKey,
  type ChainName,
  CSK_FLAGS,
  dnskeyToWire,
  generateSigningKey,
  isWildcardKey,
  keyTagOf,
  type NameContent,
  nameOfKey,
  octetsToSign,
  planSigning,
  type Rrset,
  rrsigHead,
  type SignedRecord,
  type SigningAlgorithm,
  signOctets,
  type TouchedName,
} from '../../src/dnssec/index.js';
import { nameToWire } from '../../src/index.js';

const SOA = 'ns1.example. hostmaster.example. 1 3600 600 86400 300';
const DAY_SECONDS = 86_400;

/** A signed zone in memory, whose stored data only plans change. */
export class KeptZone {
  readonly apex: Uint8Array;
  /** The records that users have written, by key. */
  readonly names = new Map<CanonicalKey, Rrset[]>();
  readonly kept = new Map<CanonicalKey, readonly SignedRecord[]>();
  readonly #privateKey: KeyObject;
  readonly #publicKey: Uint8Array;
  readonly #algorithm: SigningAlgorithm;

  constructor(name: string, algorithm: SigningAlgorithm) {
    this.apex = nameToWire(name);
    this.#algorithm = algorithm;
    const { privateKey, publicKey } = generateSigningKey(algorithm);
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
    this.apply(new Map([['', []]]));
  }

  keyOf(name: string): CanonicalKey {
    return canonicalKey(nameToWire(name), this.apex);
  }

  /** Replaces RRsets at some names, and signs everything that depends on them. @returns the number of new signatures */
  apply(changes: ReadonlyMap<CanonicalKey, readonly Rrset[]>): number {
    const before = new Map(this.names);
    for (const [key, rrsets] of changes) {
      if (rrsets.length > 0 || key === '') this.names.set(key, [...rrsets]);
      else this.names.delete(key);
    }
    const keys = new Set(['', ...changes.keys()]);
    // The names below change when a name begins or stops hiding them.
    for (const key of changes.keys()) {
      if (hidesNames(key, before) === hidesNames(key, this.names)) continue;
      for (const other of [...this.names.keys(), ...this.kept.keys()]) {
        if (other.startsWith(key)) keys.add(other);
      }
    }
    const order = [...this.kept.keys()].sort();
    const touched = [...keys].map((key): TouchedName => {
      const content = this.#contentOf(key);
      const changedTypes = changedTypesOf(before.get(key), this.names.get(key));
      return { place: this.#placeOf(key, order), content, changedTypes };
    });
    const plan = planSigning({ apex: this.apex, nsecTtl: 300, touched });
    for (const key of plan.removals) this.kept.delete(key);
    let count = 0;
    for (const { key, owner, records, toSign } of plan.writes) {
      count += toSign.length;
      this.kept.set(key, [...records, ...toSign.map((rrset) => this.#sign(owner, rrset))]);
    }
    return count;
  }

  /** Writes a zone file, with numbers for types that only the service writes (RFC 3597, section 5). */
  toText(): string {
    const lines: string[] = [];
    for (const [key, records] of this.kept) {
      for (const record of records) lines.push(toLine(nameOfKey(key, this.apex), record));
    }
    for (const [key, rrsets] of this.names) {
      for (const { type, ttl, rdatas } of rrsets) {
        for (const rdata of rdatas)
          lines.push(toLine(nameOfKey(key, this.apex), { type, ttl, rdata }));
      }
    }
    return `${lines.join('\n')}\n`;
  }

  #contentOf(key: CanonicalKey): NameContent | undefined {
    const ancestors = ancestorsOf(key);
    if (ancestors.some((ancestor) => hidesNames(ancestor, this.names))) return undefined;
    const rrsets = this.names.get(key) ?? [];
    const provided = key === '' ? this.#provided() : [];
    if (rrsets.length + provided.length === 0) return undefined;
    return {
      ...{ rrsets: [...provided, ...rrsets], provided },
      isCut: isCut(key, this.names),
      hidesNames: hidesNames(key, this.names),
    };
  }

  #provided(): Rrset[] {
    const dnskey = dnskeyToWire({
      flags: CSK_FLAGS,
      algorithm: this.#algorithm,
      publicKey: this.#publicKey,
    });
    return [
      { type: RR_TYPE.SOA, ttl: 3600, rdatas: [rdataToWire('SOA', SOA, null)] },
      { type: RR_TYPE.NS, ttl: 3600, rdatas: [rdataToWire('NS', 'ns1.test.', null)] },
      { type: RR_TYPE.DNSKEY, ttl: 3600, rdatas: [dnskey] },
    ];
  }

  #placeOf(key: CanonicalKey, order: readonly CanonicalKey[]) {
    const at = order.findIndex((other) => other >= key);
    const index = at === -1 ? order.length : at;
    const beforeKey = order[index - 1];
    const before: ChainName | undefined =
      beforeKey === undefined ? undefined : { key: beforeKey, records: this.kept.get(beforeKey)! };
    const after = order[index] === key ? order[index + 1] : order[index];
    return { key, records: this.kept.get(key), before, after };
  }

  #sign(owner: Uint8Array, rrset: Rrset): SignedRecord {
    const now = Math.floor(Date.now() / 1_000);
    const key = { flags: CSK_FLAGS, algorithm: this.#algorithm, publicKey: this.#publicKey };
    const head = rrsigHead(owner, rrset, {
      algorithm: this.#algorithm,
      keyTag: keyTagOf(key),
      signerName: this.apex,
      inception: now - 3_600,
      expiration: now + 21 * DAY_SECONDS,
    });
    const signature = signOctets(
      this.#algorithm,
      this.#privateKey,
      octetsToSign(head, owner, rrset),
    );
    return { type: RR_TYPE.RRSIG, ttl: rrset.ttl, rdata: Buffer.concat([head, signature]) };
  }
}

/** Runs a program that reads a zone from a file; throws an error with the program's output if it finds a problem. */
export function verifyWith(program: string, args: readonly string[]): void {
  try {
    execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program}: ${stdout}${stderr}`, { cause: error });
  }
}

function isCut(key: CanonicalKey, names: ReadonlyMap<CanonicalKey, readonly Rrset[]>): boolean {
  if (key === '' || isWildcardKey(key)) return false;
  return names.get(key)?.some(({ type }) => type === RR_TYPE.NS) === true;
}

function hidesNames(
  key: CanonicalKey,
  names: ReadonlyMap<CanonicalKey, readonly Rrset[]>,
): boolean {
  const hasDname = names.get(key)?.some(({ type }) => type === RR_TYPE.DNAME) === true;
  return isCut(key, names) || (hasDname && !isWildcardKey(key));
}

function ancestorsOf(key: CanonicalKey): CanonicalKey[] {
  const labels = key.split('\x00').slice(0, -1);
  return labels.slice(1).map((_, at) => `${labels.slice(0, at + 1).join('\x00')}\x00`);
}

function changedTypesOf(before: readonly Rrset[] = [], after: readonly Rrset[] = []): Set<number> {
  const types = new Set([...before, ...after].map(({ type }) => type));
  return new Set([...types].filter((type) => textOf(before, type) !== textOf(after, type)));
}

function textOf(rrsets: readonly Rrset[], type: number): string {
  const rrset = rrsets.find((one) => one.type === type);
  return JSON.stringify(rrset && [rrset.ttl, rrset.rdatas.map((rdata) => [...rdata])]);
}

function toLine(owner: Uint8Array, { type, ttl, rdata }: SignedRecord): string {
  const hex = Buffer.from(rdata).toString('hex');
  return `${wireToName(owner)} ${ttl} IN ${typeMnemonic(type)} \\# ${rdata.length} ${hex}`;
}
