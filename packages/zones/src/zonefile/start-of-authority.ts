import { emailToMailboxName } from '@zonewright/dns-records';
import type { Zone } from '../rows/zone.js';

/** decisions 4: what nameservers put into an SOA unless an operator says otherwise, in seconds. */
const TIMERS = { refresh: 14_400, retry: 3_600, expire: 1_209_600, minimum: 300 };

/** The data of a zone's SOA record (RFC 1035 s3.3.13). */
export function soaData(zone: Zone, primaryServer: string): string {
  const { refresh, retry, expire, minimum } = TIMERS;
  const rname = emailToMailboxName(zone.email);
  return [primaryServer, rname, zone.serial, refresh, retry, expire, minimum].join(' ');
}

/** The address that an SOA's data names: the first label is the local part, its dots escaped (RFC 1035 s8). */
export function emailOfSoa(data: string): string | undefined {
  const rname = data.split(' ')[1] ?? '';
  const [, localPart, domain] = /^((?:\\.|[^.\\])+)\.(.+)\.$/.exec(rname) ?? [];
  if (localPart === undefined || domain === undefined) return undefined;
  return `${localPart.replaceAll(/\\(.)/g, '$1')}@${domain}`;
}
