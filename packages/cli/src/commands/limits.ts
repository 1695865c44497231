import type { Column } from '@zonewright/terminal';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { userCommand } from '../command/user-command.js';
import { withSession } from '../session/session.js';

interface Row {
  readonly what: string;
  readonly used: number | undefined;
  readonly most: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Limit', member: 'what' },
  { title: 'Used', member: 'used' },
  { title: 'Maximum', member: 'most' },
];

export function limitsCommand(host: Host): Command {
  return userCommand('limits', 'show limits and usage of the project', 'limits').action(
    withSession(host, async ({ client, output, reading }) => {
      const { value } = await client.call('listLimits', { query: { extended: true } }, reading);
      const { absolute, used } = value.limits;
      output.report<Row>(value.limits, () => ({
        rows: [
          { what: 'domains', used: used?.domains, most: absolute.maxDomains },
          { what: 'records per domain', used: undefined, most: absolute.maxDomainRecords },
          ...(used === undefined
            ? []
            : [
                {
                  what: 'records in all domains',
                  used: used.records,
                  most: absolute.maxDomains * absolute.maxDomainRecords,
                },
              ]),
        ],
        columns: COLUMNS,
      }));
    }),
  );
}
