import { RCODE, UpdateFault } from '@zonewright/dns-records';
import { ServiceError } from '@zonewright/service-kit';
import { mayUseZone } from '../rows/key-rules.js';
import { typesByName } from './commit/write-changes.js';
import { authorOf, serialAfter, signAhead } from './commit/zone-step.js';
import { zoneNotFound } from '../rows/get-zone.js';
import { bringsLongData } from '../checks/quota.js';
import { mayHideNames, type RecordChange } from '../checks/record-change.js';
import { isServedSigned } from '../rows/signing-state.js';
import { isServed, type ZoneRecord } from '../rows/record.js';
import type { AwaitedChange, LockedZone } from '../rows/zone.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import type { ReadSet } from './update-ground-store.js';
import type { ZoneGroups } from './zone-groups.js';
import {
  type AnsweredUpdate,
  answerOctets,
  storeResponses,
  type SignedRows,
  changeOctets,
  toChangeEntries,
  type ChangeEntries,
} from './commit/commit-store.js';
import { octetsOf } from './commit/record-rows.js';
import type { SigningNeeds } from '../signing/signing-ground-store.js';
import { ZoneSnapshot } from './zone-ground.js';
import { judgePlan, type Plan, planChange, type ZoneChange } from './change-alone.js';

/** A change that is applied together with other changes of the same project. */
export interface ChangeOfMany extends ZoneChange {
  readonly work: Omit<UnitOfWork, 'trx'>;
  /**
   * The owner, key and request digest under which the response is stored; undefined if the request has no idempotency
   * key.
   */
  readonly kept: Omit<AnsweredUpdate, 'reply'> | undefined;
  /** Creates the response that is returned and stored. */
  readonly toReply: (outcome: {
    rcode: number;
    serial: number;
  }) => AnsweredUpdate['reply'] | Promise<AnsweredUpdate['reply']>;
}

/** The result of one of the changes. */
export type OutcomeOfMany =
  | {
      readonly kind: 'answered';
      readonly reply: AnsweredUpdate['reply'];
      /**
       * The change that a client can wait for: this change, the one of the repeated request, or the zone's last one.
       */
      readonly awaited?: AwaitedChange | undefined;
    }
  | { readonly kind: 'refused'; readonly error: Error }
  /** The change needs a separate transaction, because it depends on more data than is read for all, or writes more. */
  | { readonly kind: 'alone' }
  /**
   * The change follows a change that was not applied, so it was not examined. The first change never has this result.
   */
  | { readonly kind: 'later' };

/**
 * Limits of one statement: names of all its changes, and changes of one request. In a signed zone each name and the one
 * before it need a row.
 */
const MAX_NAMES = 1_000;
const MAX_SIGNED_NAMES = 300;
const MAX_CHANGES = 100;
const ALONE: OutcomeOfMany = { kind: 'alone' };
const LATER: OutcomeOfMany = { kind: 'later' };

/** The zone that the changes belong to, and the groups that read and commit it. */
interface Place {
  readonly groups: ZoneGroups;
  readonly zoneId: string;
  /**
   * Called when a connection is available and nothing has been written. @throws an error if the changes must not be
   * written
   */
  readonly beforeWrite: () => void;
}

/**
 * Applies changes of one zone in order, each with its own serial and its own entry in the history, as if each were
 * applied alone. It stops at the first change that needs a separate transaction. One statement reads the zone, and
 * another one, which is a transaction, writes it; both can include other zones. Nothing is written if the zone's row
 * has changed since it was read, because the checks used the earlier state.
 *
 * @returns undefined if the zone was changed in the meantime
 */
export async function applyOptimistic(
  { groups, zoneId, beforeWrite }: Place,
  changes: readonly [ChangeOfMany, ...ChangeOfMany[]],
): Promise<readonly OutcomeOfMany[] | undefined> {
  const read = fitting(changes, MAX_NAMES);
  const ground = await readGround(groups, zoneId, changes, read);
  // The path for single changes reports access errors.
  if (ground === undefined) return changes.map(() => ALONE);
  const { signing } = ground;
  const taken = signing === undefined ? read.length : fitting(read, mostSigned(signing)).length;
  const together = new ChangesTogether(groups, ground);
  const outcomes = await takeInOrder(changes, taken, async (change, isTaken) => {
    const known = repeat(change.kept, ground);
    if (known !== undefined || !isTaken) return known;
    return await together.take(change);
  });
  const awaited = await together.write(beforeWrite);
  return (
    awaited && outcomes.map((each) => (each.kind === 'answered' ? { awaited, ...each } : each))
  );
}

/**
 * Applies the first changes in order, at most `most`, until one needs a separate transaction.
 *
 * @param take returns a stored response also for changes that are not applied
 */
async function takeInOrder(
  changes: readonly ChangeOfMany[],
  most: number,
  take: (change: ChangeOfMany, isTaken: boolean) => Promise<OutcomeOfMany | undefined>,
): Promise<OutcomeOfMany[]> {
  const outcomes: OutcomeOfMany[] = [];
  let isStopped = false;
  for (const [at, change] of changes.entries()) {
    const outcome = await take(change, !isStopped && at < most);
    outcomes.push(outcome ?? (isStopped || at > 0 ? LATER : ALONE));
    isStopped ||= outcome === undefined || outcome.kind === 'alone';
  }
  return outcomes;
}

/** A zone that is being signed for the first time allows no names here, because the signer handles its changes. */
function mostSigned({ state }: NonNullable<ReadSet['signing']>): number {
  return isServedSigned(state) ? MAX_SIGNED_NAMES : 0;
}

/** Returns the first changes whose names together stay within the limit. */
function fitting(changes: readonly ChangeOfMany[], most: number): readonly ChangeOfMany[] {
  let room = most;
  const end = changes.findIndex(({ names, recordIds = [], recordsetId }) => {
    room -= names.length + recordIds.length + Number(recordsetId !== undefined);
    return room < 0;
  });
  return end < 0 ? changes : changes.slice(0, end);
}

/** @param read changes whose data is read; for the other changes, only stored responses are read */
async function readGround(
  groups: ZoneGroups,
  zoneId: string,
  [first, ...others]: readonly [ChangeOfMany, ...ChangeOfMany[]],
  read: readonly ChangeOfMany[],
): Promise<ReadSet | undefined> {
  const { tenantId } = first.work.caller;
  const kept = [first, ...others].flatMap((each) => each.kept ?? []);
  return await groups.read({
    ...{ zoneId, tenantId },
    names: [...new Set(read.flatMap((each) => each.names))],
    recordIds: read.flatMap(({ recordIds }) => recordIds ?? []),
    recordsetIds: read.flatMap(({ recordsetId }) => recordsetId ?? []),
    payerId: kept[0]?.tenantId ?? tenantId,
    keys: kept.map(({ key }) => key),
  });
}

/** Returns the stored response like answerOnce, or undefined if the request is new. */
function repeat(kept: ChangeOfMany['kept'], ground: ReadSet): OutcomeOfMany | undefined {
  const known = kept && ground.kept.get(kept.key);
  if (kept === undefined || known === undefined) return undefined;
  const { requestDigest, givenIn, ...reply } = known;
  if (!kept.requestDigest.equals(requestDigest)) return ALONE;
  const isLast = givenIn === null || givenIn === ground.changedIn;
  const awaited = isLast ? lastChange(ground) : { transaction: BigInt(givenIn), zone: undefined };
  return { kind: 'answered', reply, awaited };
}

function lastChange({ changedIn, zone: { name, serial } }: ReadSet): AwaitedChange {
  return { transaction: BigInt(changedIn), zone: { name, serial } };
}

function areSomeOff(...records: readonly (ZoneRecord | undefined)[]): boolean {
  return records.some((record) => record !== undefined && !isServed(record));
}

class ChangesTogether {
  readonly #groups: ZoneGroups;
  readonly #before: ReadSet;
  #zone: LockedZone;
  readonly #ground: ZoneSnapshot;
  readonly #steps: ChangeEntries[] = [];
  readonly #answered = new Map<string, AnsweredUpdate>();
  /** The unit of work of the last step. */
  #work: UnitOfWork | undefined;

  constructor(groups: ZoneGroups, ground: ReadSet) {
    this.#groups = groups;
    this.#before = ground;
    this.#zone = ground.zone;
    this.#ground = new ZoneSnapshot(ground);
  }

  async take(one: ChangeOfMany): Promise<OutcomeOfMany> {
    // The same message can arrive on two connections.
    const known = one.kept && this.#answered.get(one.kept.key);
    if (known !== undefined) {
      const isSame = one.kept?.requestDigest.equals(known.requestDigest) === true;
      return isSame ? { kind: 'answered', reply: known.reply } : ALONE;
    }
    try {
      return await this.#do(one);
    } catch (error) {
      if (error instanceof UpdateFault) return await this.#answer(one, error.rcode);
      if (error instanceof ServiceError) return { kind: 'refused', error };
      throw error;
    }
  }

  async #do(one: ChangeOfMany): Promise<OutcomeOfMany> {
    const work = { ...one.work, trx: this.#groups.db };
    const zone = this.#zone;
    if (!mayUseZone(work.caller, zone)) throw zoneNotFound();
    // The record may be disabled, and disabled records are not read here.
    if (one.recordIds?.some((id) => this.#ground.find(id) === undefined) === true) return ALONE;
    const plan = await planChange(work, zone, this.#ground, one);
    if (this.#needsMore(plan)) return ALONE;
    const changes = await judgePlan(work, zone, plan, this.#ground);
    if (changes.length > 0 && !work.isDryRun) this.#step(work, changes);
    return await this.#answer(one, RCODE.NOERROR);
  }

  /** Returns whether the plan depends on more than was read, or writes more than one statement should. */
  #needsMore({ changes, content }: Plan): boolean {
    if (content !== undefined) return true;
    if (changes.length > MAX_CHANGES || bringsLongData(changes)) return true;
    // If names become hidden or visible, they are signed in a separate transaction.
    if (this.#before.signing !== undefined && changes.some(mayHideNames)) return true;
    return changes.some(
      (change) => !this.#ground.covers(change) || areSomeOff(change.before, change.after),
    );
  }

  #step(work: UnitOfWork, changes: readonly RecordChange[]): void {
    const zone = this.#zone;
    const serial = serialAfter(work, zone.serial);
    const serials = { zoneId: zone.id, serialBefore: zone.serial, serialAfter: serial };
    const step = toChangeEntries(serials, authorOf(work), changes);
    const growth = changes.reduce(
      (sum, { before, after }) => sum + Number(after !== undefined) - Number(before !== undefined),
      0,
    );
    this.#zone = { ...zone, serial, recordCount: zone.recordCount + growth };
    this.#ground.take(changes);
    this.#steps.push(step);
    this.#work = work;
    work.written.octets += changeOctets(step, changes);
  }

  async #answer({ kept, toReply, work }: ChangeOfMany, rcode: number): Promise<OutcomeOfMany> {
    const reply = await toReply({ rcode, serial: this.#zone.serial });
    if (kept !== undefined) {
      const answered = { ...kept, reply };
      this.#answered.set(kept.key, answered);
      work.written.octets += answerOctets(answered);
    }
    return { kind: 'answered', reply };
  }

  /**
   * @returns the zone's last change, or undefined if the zone differs from what was read
   * @throws ServiceError `over-quota`, or `unavailable` if the zone cannot be signed
   */
  async write(beforeWrite: () => void): Promise<AwaitedChange | undefined> {
    const { difference } = this.#ground;
    const signed = await this.#sign(difference);
    const answered = [...this.#answered.values()];
    if (this.#steps.length === 0) {
      // Equal messages that change nothing have equal responses, so it does not matter which of them is stored.
      if (answered.length > 0) await storeResponses(this.#groups.db, answered, beforeWrite);
      return lastChange(this.#before);
    }
    const commit = {
      rowVersion: this.#before.rowVersion,
      zone: this.#zone,
      entries: `[${this.#steps.flat().join(',')}]`,
      rows: difference,
      answered,
      signed,
    };
    const committed = await this.#groups.commit(commit, beforeWrite);
    return committed && lastChange({ ...this.#before, ...committed, zone: this.#zone });
  }

  /** Signs the result of all steps once, because nobody sees the serials between them. */
  async #sign(difference: ZoneSnapshot['difference']): Promise<SignedRows | undefined> {
    const work = this.#work;
    const { signing } = this.#before;
    if (work === undefined || signing === undefined) return undefined;
    const { gone, come } = difference;
    const step = { zone: this.#zone, serialBefore: this.#before.zone.serial };
    const ahead = { state: signing.state, unwritten: difference };
    const touched = typesByName([...gone, ...come]);
    const member = { tenantId: this.#zone.tenantId, octets: octetsOf(this.#before.records) };
    const readSet = (needs: SigningNeeds) => this.#groups.readSigning({ ...member, needs });
    const signed = await signAhead(work, step, { ...ahead, touched, readSet });
    if (signed === undefined && isServedSigned(signing.state))
      throw new Error('The changes of this batch need too many signatures.');
    return signed && { ...signed, signingVersion: signing.rowVersion };
  }
}
