import { increaseAheadSerials } from '@zonewright/zones';
import { NO_SIGNER } from '../access/signer-client.js';
import type { Context } from '../context/context.js';
import { RepeatedJob } from './repeated-job.js';

/** The interval of checks without notifications; nameservers send one with each report. */
const EVERY_MS = 1_000;

/**
 * Increases serials of zones for which nameservers answer with changes that the database lost (ADR 0020). The reports
 * are in the database, so replicas share the work.
 */
export class SerialIncreases extends RepeatedJob {
  readonly #context: Context;

  constructor(context: Context) {
    const onFailure = 'serials cannot be increased at the moment; trying again';
    super({ log: context.log, restMs: EVERY_MS, onFailure });
    this.#context = context;
  }

  override start(restMs?: number): void {
    this.#context.publication.onZonesAhead = () => {
      this.wake();
    };
    super.start(restMs);
  }

  override async run(): Promise<void> {
    const { db, clock, log, signer = NO_SIGNER } = this.#context;
    const onFailure = (zoneId: string, error: unknown) => {
      log.error(
        { err: error, zoneId },
        'the serial of a signed zone cannot be increased; trying again',
      );
    };
    const zones = await increaseAheadSerials(db, { signer, clock, onFailure });
    if (zones > 0) {
      log.warn({ zones }, 'the database lost changes of zones; their serials were increased');
    }
  }
}
