import type { Nameserver } from '@zonewright/zones';
import type { Output } from '@zonewright/terminal';
import type { BootstrapResult } from './bootstrap.js';

/** What was made, and the new secrets as the variables that they go into. */
export function printBootstrapResult(output: Output, result: BootstrapResult): void {
  const { administratorPassword, serviceAccessKey, serviceSecretKey } = result.secrets;
  const secrets = Object.entries({
    ADMINISTRATOR_PASSWORD: administratorPassword,
    DNS_API_SERVICE_ACCESS_KEY: serviceAccessKey,
    DNS_API_SERVICE_SECRET_KEY: serviceSecretKey,
  }).flatMap(([variable, secret]) => (secret === undefined ? [] : [`${variable}=${secret}`]));
  const lines = [...result.created.map((line) => `created ${line}`), ...secrets];
  output.done(lines.length === 0 ? 'Everything is there already.' : lines.join('\n'), result);
  if (secrets.length > 0) output.remark('Keep these secrets: they cannot be shown again.');
}

/** Nobody can reach a nameserver that stands in its own domain without an address. */
export function remarkMissingAddresses(output: Output, servers: readonly Nameserver[]): void {
  const missing = servers.filter(({ ipv4, ipv6 }) => ipv4 === null && ipv6 === null);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  output.remark(`Without an address so far, to be given with nameserver set: ${names}`);
}
