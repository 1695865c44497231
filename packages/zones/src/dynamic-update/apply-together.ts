import type { Database } from '@zonewright/database';
import { ancestorsOf, RCODE, UpdateFault } from '@zonewright/dns-records';
import { ServiceError } from '@zonewright/service-kit';
import { mayUseZone, requireMayChange, requireMayConfirm } from '../access/key-rules.js';
import { requireOwnRecords } from '../changes/write-changes.js';
import { authorOf, serialAfter } from '../changes/zone-step.js';
import { zoneNotFound } from '../domains/get-zone.js';
import { checkConfirmation } from '../records/record-guard.js';
import {
  bringsLongData,
  findBreaches,
  refuseBreaches,
  requireRecordQuota,
} from '../records/record-rules.js';
import type { RecordChange } from '../changes/record-change.js';
import type { LockedZone, Zone } from '../rows/zone.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import { namesOfUpdate, takeUpdate, type Update } from './take-update.js';
import { readUpdateGround, type UpdateGround } from './update-ground-store.js';
import {
  type AnsweredUpdate,
  answerOctets,
  stepOctets,
  toUpdateStep,
  type UpdateStep,
  writeUpdates,
} from './update-store.js';
import { ZoneGround } from './zone-ground.js';

/** An update of many that come together, all of one tenant. */
export interface UpdateOfMany {
  readonly work: Omit<UnitOfWork, 'trx'>;
  readonly update: Update;
  /** For its repetition: by whom, under which key, and the digest of what was asked. */
  readonly kept: Omit<AnsweredUpdate, 'reply'>;
  /** What is answered, and kept. */
  readonly toReply: (outcome: { rcode: number; serial: number }) => AnsweredUpdate['reply'];
}

/** What became of one of them. */
export type OutcomeOfMany =
  | { readonly kind: 'answered'; readonly body: string }
  | { readonly kind: 'refused'; readonly error: ServiceError }
  /** It needs a transaction of its own: it looks at more than what is read for all, or writes more. */
  | { readonly kind: 'alone' };

/** Names of all together, and changes of one: for a statement. */
const MAX_NAMES = 1_000;
const MAX_CHANGES = 100;
const ALONE: OutcomeOfMany = { kind: 'alone' };

/** Where updates are done. */
interface Place {
  readonly db: Database;
  readonly zone: Pick<Zone, 'id' | 'name'>;
  /** Called before anything is written. @throws what keeps it from being written */
  readonly beforeWrite: () => void;
}

/**
 * Does updates of one zone in their order, each as applyUpdate does, with a serial and a place in the history of its own. The zone is
 * read in one statement and written in another, which is a transaction and writes nothing where the serial is not any more the one
 * that was read: what was judged is what is there.
 *
 * @returns undefined: somebody else changed the zone meanwhile
 * @throws ServiceError `not-found`
 */
export async function applyUpdates(
  { db, zone: { id: zoneId, name }, beforeWrite }: Place,
  updates: readonly [UpdateOfMany, ...UpdateOfMany[]],
): Promise<readonly OutcomeOfMany[] | undefined> {
  const [{ work, kept }] = updates;
  const names = namesOfAll(name, updates);
  const isMuch = names.length > MAX_NAMES;
  const ground = await readUpdateGround(db, {
    zoneId,
    tenantId: work.caller.tenantId,
    names: isMuch ? [] : names,
    zoneNames: isMuch ? [] : namesBelow(name, names),
    payerId: kept.tenantId,
    keys: updates.map(({ kept: { key } }) => key),
  });
  if (ground === undefined) throw zoneNotFound();
  // A signed zone is signed step by step.
  const isPlain = ground.signingState === null && !isMuch;
  const together = new UpdatesTogether(db, ground);
  const outcomes: OutcomeOfMany[] = [];
  for (const update of updates) {
    const known = ground.kept.get(update.kept.key);
    if (known !== undefined) outcomes.push(repeat(update, known));
    else outcomes.push(isPlain ? await together.take(update) : ALONE);
  }
  beforeWrite();
  return (await together.write()) ? outcomes : undefined;
}

function namesOfAll(zoneName: string, updates: readonly UpdateOfMany[]): string[] {
  const names = new Set<string>();
  for (const { update } of updates) {
    try {
      for (const name of namesOfUpdate(update, zoneName)) names.add(name);
    } catch (error) {
      // It is refused at its turn.
      if (!(error instanceof ServiceError)) throw error;
    }
  }
  return [...names];
}

function namesBelow(zoneName: string, names: readonly string[]): string[] {
  const all = new Set(names.flatMap((name) => [name, ...ancestorsOf(name)]));
  return [...all].filter((name) => name.length > zoneName.length);
}

/** As answerOnce has it. */
function repeat(
  { kept }: UpdateOfMany,
  known: { readonly requestDigest: Buffer; readonly body: string },
): OutcomeOfMany {
  return kept.requestDigest.equals(known.requestDigest)
    ? { kind: 'answered', body: known.body }
    : ALONE;
}

class UpdatesTogether {
  readonly #db: Database;
  readonly #before: LockedZone;
  #zone: LockedZone;
  readonly #ground: ZoneGround;
  readonly #steps: UpdateStep[] = [];
  readonly #answered = new Map<string, AnsweredUpdate>();

  constructor(db: Database, ground: UpdateGround) {
    this.#db = db;
    this.#before = ground.zone;
    this.#zone = ground.zone;
    this.#ground = new ZoneGround(ground);
  }

  async take(one: UpdateOfMany): Promise<OutcomeOfMany> {
    // The same message twice, of two connections.
    const known = this.#answered.get(one.kept.key);
    if (known !== undefined) return { kind: 'answered', body: known.reply.body };
    try {
      return await this.#do(one);
    } catch (error) {
      if (error instanceof UpdateFault) return this.#answer(one, error.rcode);
      if (error instanceof ServiceError) return { kind: 'refused', error };
      throw error;
    }
  }

  async #do(one: UpdateOfMany): Promise<OutcomeOfMany> {
    const { update } = one;
    const work = { ...one.work, trx: this.#db };
    const zone = this.#zone;
    if (!mayUseZone(work.caller, zone)) throw zoneNotFound();
    const view = this.#ground.view(zone, namesOfUpdate(update, zone.name));
    const changes = await takeUpdate(view, zone, update);
    // What is there elsewhere, and how much there is in all, was not read.
    const isMail = changes.some(({ after }) => after?.type === 'MX');
    if (isMail || bringsLongData(changes) || changes.length > MAX_CHANGES) return ALONE;
    requireMayChange(work.caller, zone, changes);
    const neighbours = this.#ground.neighbours.bind(this.#ground);
    refuseBreaches(await findBreaches(work, zone, changes, { neighbours }));
    await requireRecordQuota(work, zone, changes);
    if (checkConfirmation(zone, changes, false).length > 0) requireMayConfirm(work.caller);
    requireOwnRecords(work, zone, changes);
    if (changes.length > 0) this.#step(work, changes);
    return this.#answer(one, RCODE.NOERROR);
  }

  #step(work: UnitOfWork, changes: readonly RecordChange[]): void {
    const zone = this.#zone;
    const serial = serialAfter(work, zone.serial);
    const serials = { serialBefore: zone.serial, serialAfter: serial };
    const step = toUpdateStep(serials, authorOf(work), changes);
    const growth = changes.reduce(
      (sum, { before, after }) => sum + Number(after !== undefined) - Number(before !== undefined),
      0,
    );
    this.#zone = { ...zone, serial, recordCount: zone.recordCount + growth };
    this.#ground.take(changes);
    this.#steps.push(step);
    work.written.octets += stepOctets(step, changes);
  }

  #answer(one: UpdateOfMany, rcode: number): OutcomeOfMany {
    const reply = one.toReply({ rcode, serial: this.#zone.serial });
    const answered = { ...one.kept, reply };
    this.#answered.set(one.kept.key, answered);
    one.work.written.octets += answerOctets(answered);
    return { kind: 'answered', body: reply.body };
  }

  /** False: the zone is not as it was read. */
  async write(): Promise<boolean> {
    if (this.#answered.size === 0) return true;
    return await writeUpdates(this.#db, {
      before: this.#before,
      zone: this.#zone,
      steps: this.#steps,
      answered: [...this.#answered.values()],
      ...this.#ground.difference,
    });
  }
}
