import { type CommandTexts, curl, quote, zonewright } from '../../ui/shell.js';
import { type KeyForm, toNewKey } from './presets.js';

const PATH = '/v2.0/EXT-IDM/v1.0/accesskeys';

export function deleteCommands(id: string): CommandTexts {
  return {
    zonewright: zonewright('key', 'delete', id, '--yes'),
    curl: curl({ method: 'DELETE', path: `${PATH}/${id}`, service: 'identity' }),
  };
}

/**
 * Commands that create a key. The response contains the secret, so it is written to a file that nobody else can read.
 */
export function createCommands(wish: KeyForm, projectId: string): CommandTexts {
  const body = { accessKey: toNewKey(wish, projectId) };
  const file = wish.name.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '') || 'key';
  const request = curl({ method: 'POST', path: PATH, body, service: 'identity' });
  return {
    zonewright: createCommand(wish, `${file}.env`),
    curl: `(umask 077; ${request} --output ${quote(`${file}.json`)})`,
  };
}

/** Returns undefined if the command has no options for such a key. */
function createCommand(
  { name, preset, domain, record, days }: KeyForm,
  file: string,
): string | undefined {
  const restriction = {
    acme: ['--preset', 'acme'],
    dyndns: ['--record', record, '--type', 'A', '--type', 'AAAA'],
    domain: [],
    everything: undefined,
    read: undefined,
    custom: undefined,
  }[preset];
  if (restriction === undefined) return undefined;
  const zone = ['--domain', domain.replace(/\.$/, '')];
  const rest = ['--days', String(days), '--output', file];
  return zonewright('key', 'create', '--name', name, ...zone, ...restriction, ...rest);
}
