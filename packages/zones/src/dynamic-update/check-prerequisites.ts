import {
  type MessageRecord,
  type Prerequisite,
  readPrerequisite,
  typeMnemonic,
  UpdateFault,
} from '@zonewright/dns-records';
import { rdataDigest } from './rdata-digest.js';
import type { ZoneView } from '../write/read/zone-view.js';

/** RFC 2136 s3.2.5: one after the other, then the whole RRsets that were named record by record. @throws UpdateFault */
export function checkPrerequisites(
  view: ZoneView,
  records: readonly MessageRecord[],
  zoneName: string,
): void {
  const wanted = new Map<string, { name: string; type: string; digests: Set<string> }>();
  for (const record of records) {
    const prerequisite = readPrerequisite(record, zoneName);
    if (prerequisite.kind !== 'record') {
      check(view, prerequisite);
      continue;
    }
    const { name, rdata } = prerequisite;
    const type = typeMnemonic(prerequisite.type);
    const key = `${name} ${type}`;
    const set = wanted.get(key) ?? { name, type, digests: new Set() };
    set.digests.add(rdataDigest(type, rdata));
    wanted.set(key, set);
  }
  for (const { name, type, digests } of wanted.values()) {
    const there = view.digestsAt(name).get(type);
    const isSame = there?.size === digests.size && [...digests].every((each) => there.has(each));
    if (!isSame) throw new UpdateFault('NXRRSET');
  }
}

type Looked = Exclude<Prerequisite, { kind: 'record' }>;

function check(view: ZoneView, prerequisite: Looked): void {
  const there = view.digestsAt(prerequisite.name);
  switch (prerequisite.kind) {
    case 'name-in-use':
      if (there.size === 0) throw new UpdateFault('NXDOMAIN');
      return;
    case 'name-not-in-use':
      if (there.size > 0) throw new UpdateFault('YXDOMAIN');
      return;
    case 'rrset-exists':
      if (!there.has(typeMnemonic(prerequisite.type))) throw new UpdateFault('NXRRSET');
      return;
    case 'rrset-does-not-exist':
      if (there.has(typeMnemonic(prerequisite.type))) throw new UpdateFault('YXRRSET');
  }
}
