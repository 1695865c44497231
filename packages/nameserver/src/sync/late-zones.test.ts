import { describe, expect, it } from '@jest/globals';
import { LateZones } from './late-zones.js';

const zone = (name: string, serial: number, recordCount: number, domainId = name) => ({
  ...{ domainId, name, serial, recordCount },
  ...{ email: 'a@example.com', ttl: 60 },
});

describe('large zones that are read concurrently', () => {
  it('the smallest is read first', () => {
    const late = new LateZones();
    late.add(zone('large.', 1, 100_000), '5');
    late.add(zone('small.', 1, 3_000), '6');
    expect(late.next()?.zone.name).toBe('small.');
    late.settle('small.', 1);
    expect(late.next()?.zone.name).toBe('large.');
  });

  it('a later version keeps its position, and stays when an earlier one was read', () => {
    const late = new LateZones();
    late.add(zone('a.', 1, 5_000), '5');
    late.add(zone('a.', 4, 5_000), '9');
    expect(late.next()).toMatchObject({ since: '5', zone: { serial: 4 } });
    late.settle('a.', 3);
    expect(late.has('a.')).toBe(true);
    late.settle('a.', 4);
    expect([late.has('a.'), late.size]).toEqual([false, 0]);
  });

  it('a zone that was deleted or created again is no longer read', () => {
    const late = new LateZones();
    late.add(zone('a.', 1, 5_000), '5');
    const first = late.next()!;
    expect(late.isWanted(first)).toBe(true);
    late.drop('a.');
    expect(late.isWanted(first)).toBe(false);
    late.add(zone('a.', 2, 5_000, 'another id'), '7');
    expect(late.isWanted(first)).toBe(false);
  });
});
