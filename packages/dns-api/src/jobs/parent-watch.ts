import {
  asksParent,
  getZoneDnssec,
  listZonesToCheckParents,
  writeParentDs,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { queryDns, dsOf } from '../doctor/ask-dns.js';
import type { DnsAddress } from '@zonewright/service-kit';
import { RepeatedJob } from './repeated-job.js';
import { notifyParent } from './tell-parent.js';

type Watched = Pick<Context, 'db' | 'clock' | 'settings' | 'metrics' | 'log'>;

const EVERY_MS = 30_000;
const ZONES_AT_ONCE = 50;
/** Response codes that show whether there are DS records. */
const ANSWERS: ReadonlySet<string> = new Set(['NOERROR', 'NXDOMAIN']);

/**
 * Queries the DS records of signed zones at their parents, and notifies parents whose DS records are outdated. It uses
 * the resolver of the domain checks, because the signer, which needs the result, has no access to the Internet. Without
 * a resolver the DS records are unknown and keys are kept. The zones of a round are queried at once, so that a silent
 * parent does not delay others.
 */
export class ParentWatch extends RepeatedJob {
  readonly #context: Watched;
  readonly #stopping = new AbortController();

  constructor(context: Watched) {
    const onFailure = 'the parents of signed zones cannot be queried';
    super({ log: context.log, restMs: EVERY_MS, onFailure });
    this.#context = context;
  }

  override start(restMs?: number): void {
    if (this.#context.settings.check.resolver !== undefined) super.start(restMs);
  }

  override async stop(): Promise<void> {
    this.#stopping.abort();
    await super.stop();
  }

  override async run(): Promise<void> {
    const { db, clock, settings } = this.#context;
    const { resolver } = settings.check;
    if (resolver === undefined) return;
    const zones = await listZonesToCheckParents(db, new Date(clock.now()), ZONES_AT_ONCE);
    const answers = await Promise.all(
      zones.map(({ name }) => queryDns(resolver, name, 'DS', { recursive: true })),
    );
    const toTell: string[] = [];
    for (const [at, zone] of zones.entries()) {
      this.#stopping.signal.throwIfAborted();
      const answer = answers[at];
      const isAnswer = answer !== undefined && ANSWERS.has(answer.rcode);
      // A resolver that answers from its cache reports only the remaining TTL of a DS record.
      const seen = { agreed: isAnswer, ds: isAnswer ? dsOf(answer) : [], dsTtl: null };
      await writeParentDs(db, zone.id, { ...seen, checkedAt: new Date(clock.now()) });
      // The zone's CDS differs from the parent's DS.
      if (isAnswer && asksParent(await getZoneDnssec(db, zone))) toTell.push(zone.name);
    }
    await Promise.all(toTell.map((name) => this.#tell(name, resolver)));
  }

  async #tell(zone: string, resolver: DnsAddress): Promise<void> {
    const { settings, metrics, log } = this.#context;
    const { mayBePrivate } = settings.peers;
    const outcome = await notifyParent(zone, {
      resolver,
      mayBePrivate,
      signal: this.#stopping.signal,
    });
    metrics.parentsTold.inc({ outcome });
    if (outcome !== 'nobody') log.debug({ zone, outcome }, 'notified a parent zone of CDS');
  }
}
