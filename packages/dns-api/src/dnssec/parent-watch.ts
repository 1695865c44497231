import { isDatabaseUnavailable } from '@zonewright/database';
import {
  asksParent,
  getZoneDnssec,
  knowsSigning,
  listZonesToAskParents,
  writeParentDs,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { askDns, dsOf } from '../doctor/ask-dns.js';
import type { DnsAddress } from '../settings/address-settings.js';
import { tellParent } from './tell-parent.js';

type Watched = Pick<Context, 'db' | 'clock' | 'settings' | 'metrics' | 'log'>;

const EVERY_MS = 30_000;
const ZONES_AT_ONCE = 50;
/** What counts as an answer about DS: that there are some, that there are none, or that there is no such name. */
const ANSWERS: ReadonlySet<string> = new Set(['NOERROR', 'NXDOMAIN']);

/**
 * Looks for what the parents of signed zones show, and tells those that want it where that is not what it should be, by the resolver that the checks of domains ask, one zone after the other. The signer, who waits for it, has no way out of its network. Without a resolver nothing is known, and keys stay rather than go.
 */
export class ParentWatch {
  readonly #context: Watched;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(context: Watched) {
    this.#context = context;
  }

  start(): void {
    if (this.#isStopped || this.#context.settings.check.resolver === undefined) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#lookSafely().then(() => {
        this.start();
      });
    }, EVERY_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async look(): Promise<void> {
    const { db, clock, settings } = this.#context;
    const { resolver } = settings.check;
    if (resolver === undefined || !(await knowsSigning(db))) return;
    for (const { id, name } of await listZonesToAskParents(
      db,
      new Date(clock.now()),
      ZONES_AT_ONCE,
    )) {
      if (this.#isStopped) return;
      const answer = await askDns(resolver, name, 'DS', { recursive: true });
      const isAnswer = answer !== undefined && ANSWERS.has(answer.rcode);
      // How long a DS is remembered a resolver that remembers it itself does not tell.
      const seen = { agreed: isAnswer, ds: isAnswer ? dsOf(answer) : [], dsTtl: null };
      await writeParentDs(db, id, { ...seen, checkedAt: new Date(clock.now()) });
      if (isAnswer) await this.#tellIfAsked({ id, name }, resolver);
    }
  }

  /** Whether the zone's CDS asks for something else than its parent shows. */
  async #tellIfAsked(zone: { id: string; name: string }, resolver: DnsAddress): Promise<void> {
    const { db, settings, metrics, log } = this.#context;
    if (!asksParent(await getZoneDnssec(db, zone))) return;
    const { mayBePrivate } = settings.peers;
    const outcome = await tellParent(zone.name, { resolver, mayBePrivate });
    metrics.parentsTold.inc({ outcome });
    if (outcome !== 'nobody')
      log.debug({ zone: zone.name, outcome }, 'a parent zone was told of CDS');
  }

  async #lookSafely(): Promise<void> {
    try {
      await this.look();
    } catch (error) {
      const level = isDatabaseUnavailable(error) ? 'debug' : 'warn';
      this.#context.log[level]({ err: error }, 'the parents of signed zones cannot be asked now');
    }
  }
}
