import { type Database, isDatabaseUnavailable } from '@zonewright/database';
import { Batcher } from '@zonewright/service-kit';
import { type Commit, type Committed, commitChanges } from './commit/commit-store.js';
import { readReadSets, type ReadSet, type ZoneNeeds } from './update-ground-store.js';
import {
  readSigningSets,
  type SigningSet,
  type SigningNeeds,
} from '../signing/signing-ground-store.js';

/** The number of zones in a statement. */
const MOST_ZONES = 32;
/** Maximum bytes of names that a statement reads, or of rows and entries that it writes. */
const MOST_OCTETS = 262_144;
/**
 * Time after which later statements no longer wait for an earlier one, because one of its zones may be waiting for a
 * lock. `most` is the number of such earlier statements.
 */
const HOLDS_UP = { ms: 50, most: 2 };

/** Signed zone in a group of zones that are read together. */
interface SignedMember {
  readonly needs: SigningNeeds;
  readonly tenantId: string;
  /** Number of bytes of the records at its names. */
  readonly octets: number;
}

/** One zone's part of a commit. */
interface Member {
  readonly commit: Commit;
  /** @throws an error if the zone must not be written */
  readonly beforeWrite: () => void;
}

type Settled<T> = PromiseSettledResult<T>;
type Some<T> = readonly [T, ...T[]];

/** Thrown if some members must not be written. */
class LeftOut extends Error {}

/**
 * Reads and commits zones of all owners in groups: those that arrive during a statement share the next one, and their
 * owners take turns. If a statement fails, each half of its zones runs again, and so on, until the faulty zone fails
 * alone. Signed zones are read and committed separately.
 */
export class ZoneGroups {
  readonly db: Database;
  readonly #reads: Batcher<ZoneNeeds, Settled<ReadSet | 'much' | undefined>>;
  readonly #signing: Batcher<SignedMember, Settled<SigningSet>>;
  readonly #commits: Batcher<Member, Settled<Committed | undefined>>;
  readonly #signedCommits: Batcher<Member, Settled<Committed | undefined>>;

  constructor(db: Database) {
    this.db = db;
    const limits = { atOnce: 1, most: MOST_ZONES, mostOctets: MOST_OCTETS, holdsUp: HOLDS_UP };
    this.#reads = new Batcher((all) => settleEach(all, (some) => readAll(db, some)), {
      ...limits,
      ownerOf: ({ tenantId }) => tenantId,
      octetsOf: ({ names }) => names.reduce((sum, name) => sum + name.length, 0),
    });
    this.#signing = new Batcher((all) => settleEach(all, (some) => readSigning(db, some)), {
      ...limits,
      ownerOf: ({ tenantId }) => tenantId,
      octetsOf: ({ octets }) => octets,
    });
    const commits = () =>
      new Batcher<Member, Settled<Committed | undefined>>(
        (all) => settleEach(all, (some) => commitAll(db, some)),
        {
          ...limits,
          ownerOf: ({ commit }) => commit.zone.tenantId,
          octetsOf: ({ commit }) => commit.entries.length + (commit.signed?.octets ?? 0),
        },
      );
    this.#commits = commits();
    this.#signedCommits = commits();
  }

  /** @returns undefined if the tenant has no such zone, or the names have more data than may be read at once */
  async read(wanted: ZoneNeeds): Promise<ReadSet | undefined> {
    const found = valueOf(await this.#reads.do(wanted));
    if (found !== 'much') return found;
    // A group may have less room than a single zone.
    const [alone] = await readReadSets(this.db, [wanted]);
    return alone === 'much' ? undefined : alone;
  }

  /** Reads the data that the signatures of a zone depend on. */
  async readSigning(member: SignedMember): Promise<SigningSet> {
    return valueOf(await this.#signing.do(member));
  }

  /**
   * @param beforeWrite is called when a connection is available and nothing has been written; it throws an error if the
   * zone must not be written
   * @returns undefined if the zone has changed since it was read
   */
  async commit(commit: Commit, beforeWrite: () => void): Promise<Committed | undefined> {
    const queue = commit.signed === undefined ? this.#commits : this.#signedCommits;
    return valueOf(await queue.do({ commit, beforeWrite }));
  }
}

async function readAll(db: Database, all: Some<ZoneNeeds>) {
  return (await readReadSets(db, all)).map(fulfilled);
}

async function readSigning(db: Database, all: Some<SignedMember>) {
  const [{ needs }, ...others] = all;
  return (await readSigningSets(db, [needs, ...others.map((each) => each.needs)])).map(fulfilled);
}

async function commitAll(
  db: Database,
  members: Some<Member>,
): Promise<Settled<Committed | undefined>[]> {
  const others = new Map<Member, Settled<undefined>>();
  const ids = new Set<string>();
  const check = () => {
    for (const member of members) {
      const { id } = member.commit.zone;
      try {
        // This group already contains another attempt at the same zone.
        if (ids.has(id)) others.set(member, fulfilled(undefined));
        else member.beforeWrite();
        ids.add(id);
      } catch (reason) {
        others.set(member, { status: 'rejected', reason });
      }
    }
    if (others.size > 0) throw new LeftOut();
  };
  try {
    const [{ commit }, ...more] = members;
    const all = await commitChanges(db, [commit, ...more.map((each) => each.commit)], check);
    return all.map(fulfilled);
  } catch (error) {
    if (!(error instanceof LeftOut)) throw error;
    const [first, ...rest] = members.filter((member) => !others.has(member));
    const all = first === undefined ? [] : await commitAll(db, [first, ...rest]);
    return members.map((member) => others.get(member) ?? all.shift() ?? fulfilled(undefined));
  }
}

async function settleEach<T, R>(
  items: Some<T>,
  run: (some: Some<T>) => Promise<readonly Settled<R>[]>,
): Promise<readonly Settled<R>[]> {
  try {
    return await run(items);
  } catch (reason) {
    const [first, ...others] = items;
    const [next, ...rest] = others.splice(Math.floor(others.length / 2));
    if (next === undefined || isDatabaseUnavailable(reason)) {
      return items.map(() => ({ status: 'rejected', reason }));
    }
    return [
      ...(await settleEach([first, ...others], run)),
      ...(await settleEach([next, ...rest], run)),
    ];
  }
}

function fulfilled<T>(value: T): Settled<T> {
  return { status: 'fulfilled', value };
}

function valueOf<T>(settled: Settled<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
