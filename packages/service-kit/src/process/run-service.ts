import { existsSync } from 'node:fs';
import { redactUrlCredentials } from '../logging/redact.js';
import { SettingsError } from '../settings/read-settings.js';

/** Something with a life cycle that a process runs. */
export interface RunnableService {
  /** Resolves when it can be used, with the addresses that it listens on. */
  start(): Promise<Readonly<Record<string, string>>>;
  /** Stops taking work, finishes what is under way and gives everything back; also during start(). */
  stop(): Promise<void>;
  /** Takes up files that changed; called on SIGHUP, which ends a service that has none. */
  readonly reload?: (() => void) | undefined;
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
 * Signals this close together are one wish: Ctrl-C reaches the whole process group, and launchers (npm, ours)
 * pass it on to their children as well.
 */
const SAME_WISH_MS = 500;

/**
 * Runs a service until a signal or the end of its parent: SIGTERM, SIGINT, or the closing of the IPC channel
 * by which it was started (so that a launcher that is killed leaves nothing running). Another signal, later
 * than half a second after the first, ends the process at once. Settings that are wrong are reported
 * together and exit with 2.
 */
export async function runService(
  name: string,
  create: () => RunnableService | Promise<RunnableService>,
): Promise<void> {
  // Standard error has the reason of an end and what Node warns of; that it cannot be written is no reason to end.
  process.stderr.on('error', () => undefined);
  let service: RunnableService;
  try {
    service = await create();
  } catch (error) {
    reportFailure(name, error);
    process.exit(error instanceof SettingsError ? EXIT_SETTINGS : EXIT_FAILED);
  }
  const isStopping = stopOnSignals(name, service);
  if (service.reload !== undefined) process.on('SIGHUP', service.reload);
  try {
    const addresses = await service.start();
    if (!isStopping()) announceReady(addresses);
  } catch (error) {
    // A start that was cut short by stop() may fail; then stop() alone decides how this ends.
    if (isStopping()) return;
    reportFailure(name, error);
    process.exit(EXIT_FAILED);
  }
}

function announceReady(addresses: ReadyMessage['addresses']): void {
  // A parent that ends in this very moment is noticed by its 'disconnect'.
  process.send?.(
    { type: 'ready', addresses } satisfies ReadyMessage,
    undefined,
    {},
    () => undefined,
  );
}

/** @returns whether the service has been told to stop. */
function stopOnSignals(name: string, service: RunnableService): () => boolean {
  let stoppingSince: number | undefined;
  const stop = () => {
    if (stoppingSince !== undefined) return;
    stoppingSince = Date.now();
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
      const repeated = stoppingSince !== undefined && Date.now() - stoppingSince > SAME_WISH_MS;
      if (repeated) process.exit(EXIT_FAILED);
      stop();
    });
  }
  process.on('disconnect', stop);
  // The parent may have ended while the service was being created.
  if (process.send !== undefined && !process.connected) stop();
  return () => stoppingSince !== undefined;
}

function reportFailure(name: string, error: unknown): void {
  const lines =
    error instanceof SettingsError
      ? error.problems
      : [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  for (const line of lines) process.stderr.write(`${name}: ${redactUrlCredentials(line)}\n`);
}

/** The package.json of the package of a module, given its `import.meta.url`: wherever in the package a bundler has put it. */
export function nearestManifest(module: string): URL {
  let manifest = new URL('package.json', module);
  while (!existsSync(manifest)) {
    const above = new URL('../package.json', manifest);
    if (above.href === manifest.href) throw new Error(`No package.json stands above ${module}.`);
    manifest = above;
  }
  return manifest;
}
