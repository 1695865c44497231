import { SettingsError } from './settings/read-settings.js';

/** Something with a life cycle that a process runs. */
export interface RunnableService {
  /** Resolves when it can be used, with the addresses that it listens on. */
  start(): Promise<Readonly<Record<string, string>>>;
  /** Stops taking work, finishes what is under way and gives everything back. */
  stop(): Promise<void>;
}

/** What a service tells the process that started it over an IPC channel, where there is one. */
export interface ReadyMessage {
  readonly type: 'ready';
  readonly addresses: Readonly<Record<string, string>>;
}

/** Exit codes: sysexits' meanings are not used by anything that starts us; 2 says "mend the settings". */
const EXIT_FAILED = 1;
const EXIT_SETTINGS = 2;
/** Container engines kill 10 s after SIGTERM; better to end with our own log line before that. */
const STOP_DEADLINE_MS = 8_000;

/**
 * Runs a service until a signal or the end of its parent: SIGTERM, SIGINT, or the closing of the IPC channel
 * by which it was started (so that a launcher that is killed leaves nothing running). A second signal
 * ends the process at once. Settings that are wrong are reported together and exit with 2.
 */
export async function runService(
  name: string,
  create: () => RunnableService | Promise<RunnableService>,
): Promise<void> {
  let service: RunnableService;
  try {
    service = await create();
  } catch (error) {
    reportFailure(name, error);
    process.exit(error instanceof SettingsError ? EXIT_SETTINGS : EXIT_FAILED);
  }
  stopOnSignals(name, service);
  try {
    const addresses = await service.start();
    process.send?.({ type: 'ready', addresses } satisfies ReadyMessage);
  } catch (error) {
    reportFailure(name, error);
    process.exit(EXIT_FAILED);
  }
}

function stopOnSignals(name: string, service: RunnableService): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => {
      process.stderr.write(`${name}: did not stop within ${STOP_DEADLINE_MS} ms, giving up\n`);
      process.exit(EXIT_FAILED);
    }, STOP_DEADLINE_MS).unref();
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        reportFailure(name, error);
        process.exit(EXIT_FAILED);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(EXIT_FAILED);
      stop();
    });
  }
  process.on('disconnect', stop);
}

function reportFailure(name: string, error: unknown): void {
  const lines =
    error instanceof SettingsError
      ? error.problems
      : [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  for (const line of lines) process.stderr.write(`${name}: ${line}\n`);
}
