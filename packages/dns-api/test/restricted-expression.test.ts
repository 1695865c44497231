import { describe, expect, it } from '@jest/globals';
import { type AccessRule, allowedExpression, isAllowed } from '@zonewright/dns-records';
import { useTestDatabase } from '@zonewright/testkit';

/** Tests that the conditions by which PostgreSQL filters lists agree with the checks of single records. */
const database = useTestDatabase();
const ZONE = 'example.com.';
const RULE_SETS = 100;
const LABELS = [
  'a',
  'b',
  '_acme-challenge',
  '*',
  String.raw`a\.b`,
  String.raw`\\`,
  String.raw`\032`,
];
const TYPES = ['A', 'TXT', 'TYPE65280'];

let state = 7;
/** A linear congruential generator (Knuth) that gives the same cases in each run. */
function random(below: number): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * below);
}

const pick = <T>(from: readonly T[]): T => from[random(from.length)]!;

function someRule(): AccessRule {
  const some = Array.from({ length: random(4) }, () => pick(['*', '**', 'a', '_acme-challenge']));
  // A name may contain only one of them.
  const labels = some.filter((label, at) => label !== '**' || some.indexOf('**') === at);
  return {
    zone: pick(['*', ZONE, ZONE, 'example.org.']),
    name: labels.join('.') || '@',
    types: pick([['*'], ['A'], ['TXT', 'TYPE65280']]),
    actions: pick([['read'], ['update'], ['read', 'update']] as const),
  };
}

function someRecord() {
  const labels = Array.from({ length: random(5) }, () => pick(LABELS));
  return { zone: ZONE, name: [...labels, ZONE].join('.'), type: pick(TYPES) };
}

async function select(places: readonly string[], expression: string): Promise<Set<string>> {
  const { rows } = await database.db.raw<{ rows: { place: string }[] }>(
    'select p.place from unnest(?::text[]) as p (place) where p.place ~ ?',
    [[...places], expression],
  );
  return new Set(rows.map(({ place }) => place));
}

describe('The condition of restricted lists', () => {
  it(`agrees with the matcher for ${RULE_SETS} random sets of rules`, async () => {
    let shown = 0;
    let hidden = 0;
    for (let set = 0; set < RULE_SETS; set += 1) {
      const rules = Array.from({ length: 1 + random(5) }, someRule);
      const records = Array.from({ length: 100 }, someRecord);
      const placeOf = ({ type, name }: { type: string; name: string }) => `${type} ${name}`;
      const expression = allowedExpression(rules, ['read'], ZONE);
      const found = await select(records.map(placeOf), expression);
      for (const record of records) {
        const expected = isAllowed(rules, ['read'], record);
        expect([rules, record, found.has(placeOf(record))]).toEqual([rules, record, expected]);
        if (expected) shown += 1;
        else hidden += 1;
      }
    }
    expect(Math.min(shown, hidden)).toBeGreaterThan(500);
  });

  it('accepts as many rules as a key may have, of the longest kind', async () => {
    const name = `**${'.*.a'.repeat(10)}`;
    const rules = Array.from({ length: 100 }, (_, index): AccessRule => {
      return { zone: ZONE, name: `r${index}.${name}`, types: ['A', 'TXT'], actions: ['read'] };
    });
    const expression = allowedExpression(rules, ['read'], ZONE);
    const place = (first: string) => `A ${first}.${'b.a.'.repeat(10)}${ZONE}`;
    expect(await select([place('r0'), place('r99'), place('r100')], expression)).toEqual(
      new Set([place('r0'), place('r99')]),
    );
  });
});
