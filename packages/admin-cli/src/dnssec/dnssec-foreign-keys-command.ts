import { ServiceError } from '@zonewright/service-kit';
import { enableDnssec, readForeignKeys } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { dnssecAction } from './dnssec-action.js';

interface ForeignKeyOptions {
  readonly none?: boolean;
  readonly force?: boolean;
}

export function dnssecForeignKeysCommand(host: Host): Command {
  return operatorCommand(
    'foreign-keys',
    'say which keys of another provider a domain has beside its own while it moves; all of them, others go',
    'dnssec foreign-keys example.com. "257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0d..."',
    'dnssec foreign-keys example.com. --none',
  )
    .argument('<domain>', 'name')
    .argument('[dnskeys...]', 'each in quotes, as zone files have it')
    .option('--none', 'take them out, once the parent shows no DS of them any more')
    .option('--force', 'what goes goes at once: bogus for those who remember data of the other')
    .action(
      dnssecAction(
        host,
        (dnskeys: readonly string[], { none = false, force = false }: ForeignKeyOptions) => {
          const foreign = { keys: readKeys(dnskeys, none), atOnce: force };
          return (work, target) => enableDnssec(work, target, { foreign });
        },
      ),
    );
}

function readKeys(dnskeys: readonly string[], none: boolean) {
  if (none === dnskeys.length > 0) {
    throw new ServiceError('invalid', 'write the DNSKEYs of the other provider, or --none');
  }
  const { keys, problems } = readForeignKeys(dnskeys);
  const [problem] = problems;
  if (problem === undefined) return keys;
  const which = problem.at === undefined ? 'what is written' : `DNSKEY ${problem.at + 1}`;
  throw new ServiceError('invalid', `${which} ${problem.message}`);
}
