import { parse } from 'tldts';
import { isAtOrBelow } from '../names/owner-names.js';
import { RECORD_TYPES } from '../rdata/record-types.js';
import { type Advice, type AdvisedRecord, correctTo } from './advice.js';

/** Top-level domains outside the root zone that people use on purpose (RFC 6761, RFC 8375, RFC 9476). */
const LOCAL = new Set([
  'alt',
  'arpa',
  'example',
  'home',
  'internal',
  'invalid',
  'lan',
  'local',
  'localhost',
  'onion',
  'test',
]);

/** Finds names that were completed twice, or not at all. */
export function adviseOnNames(
  record: AdvisedRecord,
  zone: string,
  names: ReadonlySet<string>,
): Advice[] {
  return [...adviseOnOwner(record, zone), ...adviseOnTarget(record, zone, names)];
}

/** Returns the target as a name in the zone, if it was meant so. Undefined if it is in the zone already. */
export function unfinishedTarget(record: AdvisedRecord, zone: string): string | undefined {
  const target = targetOf(record);
  return target === undefined || isAtOrBelow(target, zone) ? undefined : `${target}${zone}`;
}

function adviseOnOwner(record: AdvisedRecord, zone: string): Advice[] {
  const name = withoutDoubling(record.name, zone);
  if (name === undefined) return [];
  return [
    correctTo(
      record,
      { name },
      {
        code: 'name-doubled',
        message: `The name ${record.name} contains ${zone.slice(0, -1)} twice.`,
        action: `Rename the ${record.type} record to ${name}`,
      },
    ),
  ];
}

function adviseOnTarget(record: AdvisedRecord, zone: string, names: ReadonlySet<string>): Advice[] {
  const target = targetOf(record);
  if (target === undefined) return [];
  const single = withoutDoubling(target, zone);
  const shown = `The ${record.type} record of ${record.name} points to ${target}`;
  if (single !== undefined) {
    const message = `${shown}, which contains ${zone.slice(0, -1)} twice.`;
    return [replaceTarget(record, single, { code: 'target-doubled', message })];
  }
  const meant = unfinishedTarget(record, zone);
  if (meant === undefined || (isInRoot(target) && !names.has(meant))) return [];
  const why = names.has(meant)
    ? `and ${meant} exists`
    : `but there is no top-level domain ${target.slice(0, -1).split('.').at(-1)}`;
  return [
    replaceTarget(record, meant, { code: 'target-unfinished', message: `${shown}, ${why}.` }),
  ];
}

function replaceTarget(
  record: AdvisedRecord,
  target: string,
  { code, message }: { readonly code: string; readonly message: string },
): Advice {
  const data = [...record.data.split(' ').slice(0, -1), target].join(' ');
  return correctTo(record, { data }, { code, message, action: `Point it to ${target}` });
}

const WITH_TARGET = ['CNAME', 'DNAME', 'MX', 'NS', 'PTR', 'SRV'] as const;

/** Returns the target in canonical form. Undefined if the type has none, or if it means "no service". */
function targetOf({ type: given, data }: AdvisedRecord): string | undefined {
  const type = WITH_TARGET.find((each) => each === given);
  if (type === undefined) return undefined;
  const target = RECORD_TYPES[type].target(data);
  return target === null || target === '.' ? undefined : target;
}

/** Undefined unless the zone's name follows itself at the end of the name. */
function withoutDoubling(name: string, zone: string): string | undefined {
  return zone.includes('.', 1) && isAtOrBelow(name, `${zone}${zone}`)
    ? name.slice(0, -zone.length)
    : undefined;
}

function isInRoot(name: string): boolean {
  const host = name.slice(0, -1).toLowerCase();
  if (LOCAL.has(host.split('.').at(-1) ?? '')) return true;
  return (
    parse(host, { allowPrivateDomains: false, validateHostname: false, detectIp: false })
      .isIcann === true
  );
}
