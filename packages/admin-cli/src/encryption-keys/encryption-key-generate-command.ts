import { generateKeyringText } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import type { Command } from 'commander';
import { Output } from '@zonewright/terminal';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';

/** As parseKeyring reads it. */
const KEY_ID = /^[\w.-]{1,32}$/;

export function encryptionKeyGenerateCommand(host: Host): Command {
  return operatorCommand(
    'generate',
    'print a new random key in the form that ENCRYPTION_KEYS takes; it is stored nowhere',
    'encryption-key generate k2',
  )
    .argument('<id>', 'the id of the key: 1 to 32 letters, digits and any of _ . -')
    .action((id: string, { json }: { json?: boolean }) => {
      if (!KEY_ID.test(id)) {
        throw new ServiceError('invalid', 'an id has 1 to 32 letters, digits and any of _ . -');
      }
      const key = generateKeyringText(id);
      if (json === true) new Output(host, 'json').done('', { id, key });
      else host.stdout.write(`${key}\n`);
    });
}
