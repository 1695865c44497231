import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError } from '@zonewright/terminal';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { writeCommand } from '../command/user-command.js';
import { writePrivate } from '../profile/profile-store.js';
import { withSession } from '../session/session.js';
import { performPlan, type PlanOptions } from './zone-file.js';

export function editCommand(host: Host): Command {
  return writeCommand(
    'edit',
    'edit a domain as a zone file in $EDITOR; asks for confirmation',
    'edit example.com',
  )
    .argument('<domain>', 'domain name or ID')
    .option('--yes', 'do not ask before deleting records')
    .action(
      withSession(host, async (session, domain: string, options: PlanOptions) => {
        const { client, reading } = session;
        const { value, etag } = await client.domains.get(domain, reading);
        const before = await client.domains.export(value.id, reading);
        const after = await edit(host, value.name, before);
        if (after === before) {
          session.output.done('No changes.', value);
          return;
        }
        const wish = { domain: value.name, zonefile: after, merges: false };
        // Do not silently revert changes that others made while the editor was open.
        await performPlan(session, wish, { ...options, ifMatch: etag });
      }),
    );
}

/** Runs $VISUAL or $EDITOR with the file as the last argument, as git does. */
async function edit(host: Host, name: string, text: string): Promise<string> {
  const editor = host.env['VISUAL'] || host.env['EDITOR'] || 'vi';
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-'));
  const file = join(folder, `${name.replaceAll('/', '_')}zone`);
  try {
    writePrivate(file, text);
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, editor, file], { stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0)
      throw new InputError(
        `${editor} ${code === null ? 'was stopped by a signal' : `exited with code ${code}`}. Nothing was changed.`,
      );
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
