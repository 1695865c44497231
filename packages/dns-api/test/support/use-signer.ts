import { afterAll, beforeAll } from '@jest/globals';
import { DATABASE_ROLES, generateKeyringText, withRole } from '@zonewright/database';
import { type Clock, freePort, readSettings } from '@zonewright/service-kit';
import { SIGNER_SETTINGS, SignerService } from '@zonewright/signer';
import type { Api } from './use-api.js';

const SIGNER_SECRET = 'a secret of more than thirty-two characters';

/** Returns the variables with which dns-api finds a signer that useSigner starts. */
export async function signerEnv(): Promise<Record<'SIGNER_URL' | 'SIGNER_SECRET', string>> {
  return { SIGNER_URL: `http://127.0.0.1:${await freePort()}`, SIGNER_SECRET };
}

/** A signer that uses the database of the API under test. Its jobs run on request. */
export interface TestSigner {
  readonly service: SignerService;
  /** Runs all due jobs. */
  run(): Promise<void>;
  stop(): Promise<void>;
  start(other?: OtherSigner): Promise<void>;
}

/** Replaced properties of a signer that is started again. */
interface OtherSigner {
  readonly keys?: string;
  /** A clock that is compared with the database's, as in production. */
  readonly checkedClock?: Clock;
}

export function useSigner(
  api: Pick<Api, 'databaseUrl'>,
  env: Awaited<ReturnType<typeof signerEnv>>,
  clock?: Clock,
): TestSigner {
  let service: SignerService | undefined;
  const ownKeys = generateKeyringText('k1');
  const start = async ({ keys = ownKeys, checkedClock }: OtherSigner = {}) => {
    service = SignerService.create(
      readSettings(SIGNER_SETTINGS, {
        LOG_LEVEL: 'silent',
        DATABASE_URL: withRole(api.databaseUrl, DATABASE_ROLES.signer),
        SIGNER_ENCRYPTION_KEYS: keys,
        SIGNER_SECRET,
        SIGNER_HOST: '127.0.0.1',
        SIGNER_PORT: new URL(env.SIGNER_URL).port,
        SIGNER_OPERATIONS_PORT: '0',
        SIGNER_JOBS_EVERY_MS: '1000000',
      }),
      checkedClock === undefined
        ? { ...(clock === undefined ? {} : { clock, isClockChecked: false }) }
        : { clock: checkedClock },
    );
    await service.start();
  };
  const stop = async () => {
    await service?.stop();
    service = undefined;
  };
  beforeAll(() => start());
  afterAll(stop);
  const signer: TestSigner = {
    get service() {
      if (service === undefined) throw new Error('The signer is stopped.');
      return service;
    },
    run: async () => {
      await signer.service.jobs.run();
    },
    stop,
    start,
  };
  return signer;
}
