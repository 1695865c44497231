import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSettings, SettingsError } from '@zonewright/service-kit';
import { isRunning, parentOf, programOf } from './embedded/running-process.js';
import { launch } from './launch.js';
import { Cleanup } from './launcher/cleanup.js';
import { START_SETTINGS } from './settings/settings.js';

/** Time limit of a stop. Ctrl-C must end everything within five seconds. */
const STOP_DEADLINE_MS = 4_800;
const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

const cleanup = new Cleanup();

async function stop(exitCode: number): Promise<never> {
  setTimeout(() => process.exit(exitCode === 0 ? 1 : exitCode), STOP_DEADLINE_MS).unref();
  await cleanup.run();
  process.exit(exitCode);
}

function stopOnRequest(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (cleanup.hasBegun) return;
      console.log('\nStopping ...');
      void stop(0);
    });
  }
  watchNpm(() => void stop(0));
  // The reader of the output may have ended. The services must be stopped even then.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

const INTERVAL_MS = 500;
const SHELLS = new Set(['sh', 'dash', 'bash', 'ash', 'zsh']);

stopOnRequest();

try {
  const settings = readSettings(START_SETTINGS, process.env);
  const name = settings.dataFolder;
  await launch(
    {
      settings,
      environment: process.env,
      dataFolder: isAbsolute(name) ? name : resolve(PROJECT, name),
      dataFolderName: name,
      say: (line) => {
        if (!cleanup.hasBegun) console.log(line);
      },
    },
    cleanup,
  );
} catch (error) {
  if (!cleanup.hasBegun) {
    const lines = error instanceof SettingsError ? error.problems : [(error as Error).message];
    for (const line of lines) console.error(line);
  }
  await stop(error instanceof SettingsError ? 2 : 1);
}

/**
 * Calls `onGone` if the npm that runs this process dies. After SIGKILL, it cannot signal this process, which would
 * continue unnoticed. Does nothing without npm, since a shell may leave its child on purpose.
 *
 * @returns a function that stops the watch
 */
function watchNpm(onGone: () => void): () => void {
  if (process.env['npm_lifecycle_event'] === undefined) return () => undefined;
  const parent = process.ppid;
  // npm runs scripts through a shell, which may have replaced itself with this process.
  const npm = SHELLS.has(programOf(parent)) ? (parentOf(parent) ?? parent) : parent;
  const timer = setInterval(() => {
    if (process.ppid === parent && isRunning(npm)) return;
    clearInterval(timer);
    onGone();
  }, INTERVAL_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
