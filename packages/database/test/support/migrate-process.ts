import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

interface MigrateProcess {
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
  /** Resolves when stdout contains `text`. */
  says(text: string): Promise<void>;
}

/** Runs the compiled `migrate` as a process with only these environment variables. */
export function runMigrate(env: Readonly<Record<string, string>>): MigrateProcess {
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'pipe', 'pipe'], env });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, ...output }));
  return {
    ended,
    says: async (text) => {
      while (!output.stdout.includes(text)) {
        await Promise.race([
          once(child.stdout, 'data'),
          ended.then((end) => Promise.reject(new Error(JSON.stringify(end)))),
        ]);
      }
    },
  };
}
