import { existsSync } from 'node:fs';
import { redactUrlCredentials } from '../logging/redact.js';
import { SettingsError } from '../settings/read-settings.js';

/** Object with a life cycle that a process runs. */
export interface RunnableService {
  /** Resolves with the addresses when the service can be used. */
  start(): Promise<Readonly<Record<string, string>>>;
  /** Stops accepting work, finishes work in progress and closes everything. May be called during start(). */
  stop(): Promise<void>;
  /** Reloads changed files on SIGHUP. Without this function, SIGHUP ends the service. */
  readonly reload?: (() => void) | undefined;
}

/** Message of a service to its parent process over an IPC channel, if there is one. */
export interface ReadyMessage {
  readonly type: 'ready';
  readonly addresses: Readonly<Record<string, string>>;
}

/** Exit codes. No launcher of the project uses those of sysexits; 2 means "correct the settings". */
const EXIT_FAILED = 1;
const EXIT_SETTINGS = 2;
/**
 * Time limit of a stop. Container engines kill a process 10 s after SIGTERM; its last log lines should be written
 * before.
 */
const STOP_DEADLINE_MS = 8_000;
/**
 * Signals within this time count as one: Ctrl-C reaches the whole process group, and launchers (npm, ours) forward it
 * to their children.
 */
const SAME_WISH_MS = 500;

/**
 * Runs a service until SIGTERM, SIGINT, or the closing of its IPC channel (so that nothing survives a killed launcher).
 * A second signal, later than half a second after the first, ends the process at once. All invalid settings are
 * reported at once, with exit code 2.
 */
export async function runService(
  name: string,
  create: () => RunnableService | Promise<RunnableService>,
): Promise<void> {
  // Standard error has the reason of an exit and warnings of Node.js. A failure to write them is not a reason to exit.
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
    // A start that stop() interrupted may fail. stop() then decides the exit code.
    if (isStopping()) return;
    reportFailure(name, error);
    process.exit(EXIT_FAILED);
  }
}

function announceReady(addresses: ReadyMessage['addresses']): void {
  // The event 'disconnect' reports a parent that exits at this moment.
  process.send?.(
    { type: 'ready', addresses } satisfies ReadyMessage,
    undefined,
    {},
    () => undefined,
  );
}

/** @returns whether the service has been told to stop */
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
  // The parent may have exited while the service was being created.
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

/**
 * Returns the package.json of the package that contains a module, given its `import.meta.url`. This works for bundled
 * modules, too.
 */
export function nearestManifest(module: string): URL {
  let manifest = new URL('package.json', module);
  while (!existsSync(manifest)) {
    const above = new URL('../package.json', manifest);
    if (above.href === manifest.href) throw new Error(`There is no package.json above ${module}.`);
    manifest = above;
  }
  return manifest;
}
