import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FAULT_ROUNDS, faultSeed, seededRandom } from '@zonewright/testkit';
import { listDisagreements } from './support/compare-answers.js';
import { type ForeignName, ForeignServer, hasForeignServer } from './support/foreign-server.js';
import { InProcessServer } from './support/in-process-server.js';
import { transferZone } from './support/presigned-zone.js';

const SERVERS = ['nsd', 'knotd', 'named'] as const;
const LABELS = ['a', 'b', 'c', 'd'];
const RECORDS = 14;
const TYPES = ['A', 'TXT', 'CNAME', 'NS', 'DS'];

/** A small zone of names above, below and beside each other, as academic suites make them. */
function generateZone(zone: string, random: () => number): string[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const nameBelow = (least: number, mayBeWildcard: boolean): string => {
    const labels = Array.from({ length: least + Math.floor(random() * 3) }, () => pick(LABELS));
    if (mayBeWildcard && random() < 0.25) labels.unshift('*');
    return [...labels, zone].join('.');
  };
  const typesAt = new Map<string, Set<string>>();
  const lines = [`${zone} 600 SOA ns.${zone} host.${zone} 1 7200 900 1209600 300`];
  lines.push(`${zone} 600 NS ns.elsewhere.invalid.`);
  for (let left = RECORDS; left > 0; left--) {
    const type = pick(['A', 'A', 'TXT', 'CNAME', 'CNAME', 'DNAME', 'DNAME', 'NS']);
    const owner = nameBelow(1, type === 'A' || type === 'TXT' || type === 'CNAME');
    const types = typesAt.get(owner) ?? new Set();
    if (!mayStand(type, types) || isBelowDname(owner, typesAt, type)) continue;
    typesAt.set(owner, types.add(type));
    const target = random() < 0.1 ? 'www.elsewhere.invalid.' : nameBelow(0, false);
    lines.push(`${owner} 600 ${type} ${dataOf(type, target)}`);
  }
  return lines;
}

function dataOf(type: string, target: string): string {
  if (type === 'A') return '192.0.2.1';
  return type === 'TXT' ? '"text"' : target;
}

/** Zones that the others refuse to load are not compared. */
function mayStand(type: string, types: ReadonlySet<string>): boolean {
  if (types.has(type) || types.has('CNAME')) return false;
  if (type === 'CNAME') return types.size === 0;
  return !(type === 'NS' && types.has('DNAME')) && !(type === 'DNAME' && types.has('NS'));
}

function isBelowDname(
  owner: string,
  typesAt: ReadonlyMap<string, ReadonlySet<string>>,
  type: string,
): boolean {
  const names = [...typesAt.keys()];
  const isBelow = names.some(
    (name) => owner.endsWith(`.${name}`) && typesAt.get(name)!.has('DNAME'),
  );
  return isBelow || (type === 'DNAME' && names.some((name) => name.endsWith(`.${owner}`)));
}

/** About the names, what lies beside them, below them and between them. */
function listQuestions(lines: readonly string[], zone: string): string[] {
  const names = new Set(lines.map((line) => line.split(' ')[0]!));
  for (const name of names) {
    const parent = name.slice(name.indexOf('.') + 1);
    if (parent.endsWith(zone)) names.add(parent);
  }
  const around = [...names].flatMap((name) => [name, `a.${name}`, `x.${name}`, `b.x.${name}`]);
  return [...new Set(around)].flatMap((name) => TYPES.map((type) => `${name} ${type}`));
}

const isReady = SERVERS.every((name) => hasForeignServer(name));

(isReady ? describe : describe.skip)('Small zones by chance beside NSD, Knot and BIND', () => {
  const random = seededRandom(faultSeed());
  const zones = new Map(
    Array.from({ length: FAULT_ROUNDS }, (_, at) => {
      const zone = `g${at}.test.`;
      return [zone, generateZone(zone, random)] as const;
    }),
  );
  const servers = new Map<ForeignName, ForeignServer>();
  beforeAll(async () => {
    const texts = new Map([...zones].map(([zone, lines]) => [zone, `${lines.join('\n')}\n`]));
    for (const name of SERVERS) servers.set(name, await ForeignServer.start(name, texts));
  });
  afterAll(async () => {
    for (const server of servers.values()) await server.stop();
  });

  it(
    'no answer differs from one that two of them agree on',
    async () => {
      const wrong: unknown[] = [];
      for (const [zone, lines] of zones) {
        const ours = new InProcessServer([
          await transferZone(servers.get('nsd')!.address, zone, false),
        ]);
        const addresses = [...servers.values()].map(({ address }) => address);
        const found = await listDisagreements(ours, addresses, listQuestions(lines, zone));
        wrong.push(...found.map((each) => [lines, each]));
      }
      expect(wrong).toEqual([]);
    },
    FAULT_ROUNDS * 20_000,
  );
});
