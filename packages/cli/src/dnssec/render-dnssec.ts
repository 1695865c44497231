import type { Output } from '@zonewright/client';
import type { Host } from '../command/host.js';
import { marksFor } from '../output/marks.js';

export type Dnssec = Output<'getDnssec'>;

/** Values for a registrar or another provider have a line of their own, so that they can be copied. */
export function renderDnssec(host: Host, name: string, dnssec: Dnssec): string[] {
  const { state, ds, dnskey, keys, foreign_keys: foreign, missing } = dnssec;
  const { good, warning } = marksFor(host);
  const head = state === 'unsigned' ? `${name} is not signed.` : `${name} ${state}`;
  const end = state === 'signed' ? [`${good} no problems`] : [];
  return [
    head,
    ...ds.map((each) => `  DS      ${each}`),
    ...dnskey.map((each) => `  DNSKEY  ${each}`),
    ...keys.map((key) => `  key ${key.key_tag}, algorithm ${key.algorithm}, ${key.state}`),
    ...foreign.map((key) => `  key ${key.key_tag} of the other provider, ${key.state}`),
    ...(missing === null ? end : [`${warning} ${missing}`]),
  ];
}
