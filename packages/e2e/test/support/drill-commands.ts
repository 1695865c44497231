import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const GUIDE = fileURLToPath(
  new URL('../../../../docs/operations/backup-and-restore.md', import.meta.url),
);
/** Names of the programs in the containers. */
const PROGRAMS = { 'zonewright-admin': 'admin-cli', 'zonewright-migrate': 'database' };

/** Returns the commands of the backup guide after `<!-- drill: TITLE -->`. */
export function drillCommands(title: string): string {
  const [, after] = readFileSync(GUIDE, 'utf8').split(`<!-- drill: ${title} -->`);
  const text = /```\w+\n([\s\S]*?)\n```/.exec(after ?? '')?.[1];
  if (text === undefined) throw new Error(`${GUIDE} has no drill "${title}".`);
  return text;
}

/** Creates a folder with the programs under the names in the guide. */
export async function writePrograms(folder: string): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  for (const [name, packageName] of Object.entries(PROGRAMS)) {
    const program = fileURLToPath(new URL(`../../../${packageName}/dist/main.js`, import.meta.url));
    await writeFile(join(bin, name), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
    await chmod(join(bin, name), 0o755);
  }
  return bin;
}

/** Runs commands of the guide in a shell that stops at the first failure. */
export async function runDrill(
  title: string,
  options: { readonly path: readonly string[]; readonly env: Readonly<Record<string, string>> },
): Promise<void> {
  const path = [...options.path, '/usr/bin', '/bin'].join(delimiter);
  const shell = spawn('/bin/sh', ['-eu', '-c', drillCommands(title)], {
    env: { LC_ALL: 'C', ...options.env, PATH: path },
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const [code] = (await once(shell, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The drill "${title}" failed:\n${output}`);
}
