import { ServiceError } from '@zonewright/service-kit';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { acceptDatabase, listDoubts } from '@zonewright/zones';

export function nameserverAcceptDatabaseCommand(host: Host): Command {
  return operatorCommand(
    'accept-database',
    'let nameservers answer what this database holds, though they do not believe it: zones that it lacks go',
    'nameserver accept-database',
  ).action(
    withSession(host, async ({ db, output }) => {
      const accepted = await db.transaction(async (trx) => {
        const doubts = await listDoubts(trx);
        if (doubts.length === 0) {
          throw new ServiceError('conflict', 'No nameserver doubts this database.');
        }
        const insteadOf = [...new Set(doubts.flatMap(({ databaseId }) => databaseId ?? []))];
        return { ...(await acceptDatabase(trx, insteadOf)), doubts };
      });
      const { id, doubts } = accepted;
      output.done(
        `The database ${id} is accepted. It was doubted by: ${doubts.map(({ name, doubt }) => `${name} (${doubt})`).join('; ')}.`,
        accepted,
      );
    }),
  );
}
