import { CommandEnd, parseCount } from '@zonewright/terminal';
import type { Command } from 'commander';
import { EXIT } from '../command/exit-codes.js';
import type { Host } from '../command/host.js';
import { userCommand } from '../command/user-command.js';
import { parseSerial } from '../history/history-commands.js';
import { marksFor } from '../output/marks.js';
import { withSession } from '../session/session.js';
import { awaitPublication, WAIT_SECONDS } from './await-publication.js';

export function publishCommand(host: Host): Command {
  return userCommand(
    'publish',
    'show the publication of a change on each nameserver',
    'publish example.com',
    'publish example.com 1795330350 --wait 60',
  )
    .argument('<domain>', 'domain name or ID')
    .argument(
      '[serial]',
      'serial serial of the change, as `history` shows it (default: the latest)',
      parseSerial,
    )
    .option('--wait <seconds>', `seconds to wait (default: ${WAIT_SECONDS})`, parseCount)
    .action(
      withSession(
        host,
        async (
          session,
          domain: string,
          wanted: number | undefined,
          { wait = WAIT_SECONDS }: { wait?: number },
        ) => {
          const { value } = await session.client.domains.get(domain, session.reading);
          const serial = wanted ?? value.serial;
          const publication = await awaitPublication(session, { id: value.id, serial }, wait);
          const { good, bad } = marksFor(host);
          const { applied, total } = publication;
          session.output.text(
            [
              `${value.name} serial ${serial}: ${applied} of ${total} nameservers have published it`,
              ...publication.nameservers.map(
                ({ name, applied: has, live, delay_ms: delay }) =>
                  `${has && live ? good : bad} ${name}  ${live ? (has ? `${delay ?? '?'} ms` : 'waiting') : 'not running'}`,
              ),
            ],
            publication,
          );
          if (publication.state !== 'published') throw new CommandEnd(EXIT.notPublished);
        },
      ),
    );
}
