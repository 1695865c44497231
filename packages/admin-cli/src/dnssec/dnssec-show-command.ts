import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { DNSSEC_COLUMNS } from './dnssec-columns.js';
import { getZoneNamed, showDnssec } from './show-dnssec.js';

export function dnssecShowCommand(host: Host): Command {
  return operatorCommand(
    'show',
    'show the DS to hand in, the keys, and what is missing',
    'dnssec show example.com.',
  )
    .argument('<domain>', 'name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        output.item(await showDnssec(db, await getZoneNamed(db, reference)), DNSSEC_COLUMNS);
      }),
    );
}
