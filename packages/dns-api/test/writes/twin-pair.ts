import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isOpen } from './open-faults.js';
import { type Operation, type ZoneRole, ZONES } from './operations.js';
import { Difference, Disturbed } from './reduce.js';
import type { Call, Twin } from './twin.js';
import type { LockedWay } from './use-locked-way.js';
import type { Answer, UpdateAnswer, WritePlatform } from './use-write-platform.js';
import { findBroken, readState, type Row, withoutId } from './zone-state.js';

/** The status and error type of a response, or the response code of an update. */
type Verdict = string;

interface Asked {
  readonly operation: Operation;
  readonly calls: readonly [Call, Call];
}

/** The kinds of record changes, several of which can arrive at once. */
const TOGETHER: ReadonlySet<string> = new Set([
  ...['create', 'update', 'delete', 'create-set', 'update-set', 'delete-set', 'batch', 'import'],
]);
const MOST_TOGETHER = 6;

/**
 * Makes the same changes in two sets of zones: in the first one in groups at once, each change with an Idempotency-Key,
 * and in the second one after the other, in transactions that lock the zone. Responses and results must be equal.
 */
export class TwinPair {
  readonly #platform: WritePlatform;
  readonly #twins: readonly [Twin, Twin];
  readonly #locked: LockedWay;

  constructor(platform: WritePlatform, twins: readonly [Twin, Twin], locked: LockedWay) {
    this.#platform = platform;
    this.#twins = twins;
    this.#locked = locked;
  }

  /** @throws Difference, Disturbed */
  async run(operations: readonly Operation[]): Promise<void> {
    let done = 0;
    for (const group of groupsOf(operations)) {
      done += group.length;
      await this.#failing(done, () => this.#doGroup(group));
    }
    await this.#failing(done, () => this.#compareStates());
  }

  async #failing(done: number, perform: () => Promise<void>): Promise<void> {
    try {
      await perform();
    } catch (error) {
      if (error instanceof Disturbed) throw error;
      throw new Difference((error as Error).message, done);
    }
  }

  async #doGroup(group: readonly Operation[]): Promise<void> {
    const asked: Asked[] = [];
    for (const operation of group) {
      const [one, other] = [
        await this.#twins[0].toCall(operation),
        await this.#twins[1].toCall(operation),
      ];
      if (one !== undefined && other !== undefined) asked.push({ operation, calls: [one, other] });
    }
    const [first] = asked;
    if (first === undefined) return;
    const before = await this.#rows(0);
    const hadChild = this.#twins[0].zones.has('child');
    if (first.calls[0].form === 'message') await this.#doMessages(asked);
    else if (asked.length === 1) await this.#doAlone(first);
    else await this.#doTogether(asked);
    const after = await this.#compareRows(asked);
    if (hadChild) this.#checkPlaces(before, after);
  }

  /** Sends messages, which are processed in order within one call. */
  async #doMessages(asked: readonly Asked[]): Promise<void> {
    const ofTwin = (at: 0 | 1) =>
      asked.flatMap(({ calls }) => (calls[at].form === 'message' ? [calls[at]] : []));
    const one = await this.#platform.update(ofTwin(0));
    const other: UpdateAnswer[] = [];
    for (const message of ofTwin(1)) other.push(...(await this.#platform.update([message])));
    const codes = [one, other].map((answers) => answers.map(({ rcode }) => rcode));
    if (codes.flat().includes('SERVFAIL')) throw new Disturbed();
    requireSame('response codes', codes[0], codes[1]);
  }

  async #doAlone({ operation, calls }: Asked): Promise<void> {
    const locked = await this.#locked(() => this.#ask(calls[1]));
    const answers = [await this.#ask(calls[0]), locked] as const;
    requireSame(`verdicts of ${operation.kind}`, verdictOf(answers[0]), verdictOf(answers[1]));
    for (const at of [0, 1] as const) this.#twins[at].note(operation.kind, answers[at]);
  }

  /**
   * Makes changes together. The journal shows the order of the first twin's changes. A change without effect could have
   * been anywhere in between: the second twin tries it in each position until one fits.
   */
  async #doTogether(asked: readonly Asked[]): Promise<void> {
    const answered = await Promise.all(
      asked.map(async (each) => ({ ...each, answer: await this.#ask(each.calls[0], withKey()) })),
    );
    const places = await this.#placesOf(answered.map(({ answer }) => requestIdOf(answer)));
    const placeOf = ({ answer }: { answer: Answer }) => places.get(requestIdOf(answer));
    const done = answered
      .filter((each) => placeOf(each) !== undefined)
      .sort((one, other) => Number(placeOf(one)) - Number(placeOf(other)));
    let waiting = answered.filter((each) => placeOf(each) === undefined);
    const tried = new Map<string, Verdict[]>();
    for (const next of [...done, undefined]) {
      const left: typeof waiting = [];
      for (const each of waiting) {
        const trial = await this.#try(each.calls[1]);
        const verdict = verdictOf(each.answer);
        const label = `${each.operation.kind} ${verdict}`;
        tried.set(label, [...(tried.get(label) ?? []), verdictOf(trial)]);
        const fits =
          verdictOf(trial) === verdict || (each.answer.status >= 400 && tellsOfRefusal(trial));
        if (!fits) left.push(each);
      }
      waiting = left;
      if (next === undefined) break;
      const verdict = verdictOf(await this.#locked(() => this.#ask(next.calls[1])));
      requireSame(`verdicts of ${next.operation.kind}`, verdictOf(next.answer), verdict);
    }
    if (waiting.length > 0) {
      throw new Error(`Alone they are never refused so: ${JSON.stringify([...tried])}`);
    }
  }

  async #ask(call: Call, headers: object = {}): Promise<Answer> {
    if (call.form !== 'http') throw new Error('A message goes to a nameserver.');
    const { who, method, path, body } = call;
    const answer = await this.#platform.callWith(headers, who, method, path, body);
    if (answer.status === 503 || answer.status === 429) throw new Disturbed();
    if (answer.status >= 500) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer;
  }

  async #try(call: Call): Promise<Answer> {
    if (call.form !== 'http') throw new Error('Nobody tries a message.');
    const query = call.path.includes('?') ? '&dry_run=true' : '?dry_run=true';
    return await this.#ask({ ...call, path: `${call.path}${query}` });
  }

  async #placesOf(requestIds: readonly string[]): Promise<Map<string, number>> {
    const { rows } = await this.#platform.db.raw<{ rows: { id: string; place: number }[] }>(
      `select c.request_id as id, min(c.id) as place from dns.zone_changes as c
        where c.request_id = any(?::text[]) group by c.request_id`,
      [[...requestIds]],
    );
    return new Map(rows.map(({ id, place }) => [id, place]));
  }

  async #rows(at: 0 | 1): Promise<Map<ZoneRole, Row[]>> {
    const entries = await Promise.all(
      ZONES.map(async (role) => [role, await this.#twins[at].rowsOf(role)] as const),
    );
    return new Map(entries);
  }

  async #compareRows(asked: readonly Asked[]): Promise<Map<ZoneRole, Row[]>> {
    const both = [await this.#rows(0), await this.#rows(1)] as const;
    for (const role of ZONES) {
      const [one, other] = ([0, 1] as const).map((at) => {
        const rows = (both[at].get(role) ?? []).map(withoutId);
        return JSON.parse(this.#twins[at].toCommon(JSON.stringify(rows))) as unknown;
      });
      const kinds = asked.map(({ operation }) => operation.kind).join(', ');
      requireSame(`records of the ${role} zone after ${kinds}`, one, other);
    }
    return both[0];
  }

  /** Checks records that were written below the name of a child zone after its creation. */
  #checkPlaces(before: ReadonlyMap<ZoneRole, Row[]>, after: ReadonlyMap<ZoneRole, Row[]>): void {
    const child = this.#twins[0].nameOf('child');
    const known = new Map(before.get('parent')?.map((row) => [row.id, row]));
    const isPlaced = ({ id, name }: Row) =>
      known.get(id)?.isOff !== false || known.get(id)?.name !== name;
    const isInChild = ({ name }: Row) => name === child || name.endsWith(`.${child}`);
    const served = (after.get('parent') ?? []).filter(({ isOff, type }) => !isOff && type !== 'DS');
    const wrong = served.find((row) => isInChild(row) && isPlaced(row));
    if (wrong !== undefined)
      throw new Error(`${wrong.name} ${wrong.type} came into a child domain.`);
  }

  async #compareStates(): Promise<void> {
    for (const role of ZONES) {
      const zones = this.#twins.map((twin) => twin.zones.get(role));
      const [one, other] = zones;
      if (one === undefined || other === undefined) continue;
      const [state, same] = [
        await readState(this.#platform.db, one, this.#twins[0].toCommon),
        await readState(this.#platform.db, other, this.#twins[1].toCommon),
      ];
      for (const part of ['counts', 'rows', 'journal', 'signed'] as const) {
        requireSame(`${part} of the ${role} zone`, state[part], same[part]);
      }
      if (role === 'promoted' && isOpen('B8')) continue;
      const broken = await findBroken(this.#platform.db, one);
      if (broken.length > 0) throw new Error(`${role}: ${broken.join('\n')}`);
    }
  }
}

/** Divides operations into groups: record changes that are made at once, or messages. */
function groupsOf(operations: readonly Operation[]): Operation[][] {
  const groups: Operation[][] = [];
  for (const operation of operations) {
    const last = groups.at(-1);
    const isOfGroup =
      operation.joins &&
      last !== undefined &&
      last.length < MOST_TOGETHER &&
      last.every((each) => canJoin(each, operation));
    if (isOfGroup) last.push(operation);
    else groups.push([operation]);
  }
  return groups;
}

function canJoin(one: Operation, other: Operation): boolean {
  if (TOGETHER.has(one.kind)) return TOGETHER.has(other.kind);
  if (one.kind !== 'message' || other.kind !== 'message') return false;
  return !isOpen('F22') || ![one, other].some(goesAlone);
}

/** Returns whether an operation runs after those behind it while that fault is open. */
function goesAlone({ contents }: Operation): boolean {
  return contents.some(({ type, data }) => type === 'MX' || type === 'NS' || data.length > 200);
}

function withKey(): object {
  return { 'idempotency-key': randomUUID() };
}

function verdictOf({ status, body }: Answer): Verdict {
  const { type = '' } = (status >= 400 ? body : {}) as { type?: string };
  return `${status} ${type}`.trim();
}

/** Returns whether the dry run of a batch or an import reports a refused item. */
function tellsOfRefusal({ status, body }: Answer): boolean {
  const { results = [], not_taken: notTaken = [] } = body as {
    results?: readonly { status: string }[];
    not_taken?: readonly object[];
  };
  return status === 200 && [...notTaken, ...results.filter(isRefused)].length > 0;
}

function isRefused({ status }: { readonly status: string }): boolean {
  return status === 'refused';
}

function requestIdOf({ headers }: Answer): string {
  return headers.get('x-openstack-request-id') ?? '';
}

function requireSame(what: string, one: unknown, other: unknown): void {
  if (isDeepStrictEqual(one, other)) return;
  throw new Error(
    `The ${what} differ.\nTogether: ${JSON.stringify(one)}\nAlone: ${JSON.stringify(other)}`,
  );
}
