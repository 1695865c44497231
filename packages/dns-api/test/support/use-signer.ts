import { afterAll, beforeAll } from '@jest/globals';
import { DATABASE_ROLES, generateKeyringText, withRole } from '@zonewright/database';
import { type Clock, freePort, readSettings } from '@zonewright/service-kit';
import { SIGNER_SETTINGS, SignerService } from '@zonewright/signer';
import type { Api } from './use-api.js';

const SIGNER_SECRET = 'a secret of more than thirty-two characters';

/** What dns-api needs to know of a signer that is started by useSigner. */
export async function signerEnv(): Promise<Record<'SIGNER_URL' | 'SIGNER_SECRET', string>> {
  return { SIGNER_URL: `http://127.0.0.1:${await freePort()}`, SIGNER_SECRET };
}

/** A signer on the database of the API under test. Its jobs run when they are told to. */
export interface TestSigner {
  readonly service: SignerService;
  /** Does all that is due. */
  run(): Promise<void>;
  stop(): Promise<void>;
  start(other?: OtherSigner): Promise<void>;
}

/** What a signer that is started again has in the place of what it had. */
interface OtherSigner {
  readonly keys?: string;
  /** Compared with the database's, as in production. */
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
