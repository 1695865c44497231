import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultSeed, seededRandom } from '@zonewright/testkit';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunningPlatform } from '../support/running-platform.js';
import { Person } from './command.js';

/** Number of zones. `npm run test:faults` uses 500. */
const ZONES = Number(process.env['APPLIED_ZONES'] ?? 3);

describe('zone files that are applied one after the other', () => {
  let platform: RunningPlatform;
  let person: Person;
  const seed = faultSeed();
  const random = seededRandom(seed);

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    person = await Person.create();
    await platform.start();
    await person.type(`zonewright login --env-file "${join(platform.dataFolder, 'demo.env')}"`);
    await person.type('zonewright domain add random.example');
  }, 150_000);
  afterAll(async () => {
    await platform.remove();
    await person.leave();
  });

  it(
    `after each of ${ZONES} imports a second run changes nothing, and an undo restores the export`,
    async () => {
      for (let number = 0; number < ZONES; number += 1) {
        writeFileSync(join(person.home, 'random.zone'), randomZone());
        const before = await exported();
        const applied = await person.type('zonewright apply random.zone --yes');
        expect({ seed, number, applied }).toMatchObject({
          applied: expect.not.stringMatching(/^\[\d/m),
        });
        const after = await exported();
        const again = await person.type('zonewright plan random.zone --detailed-exitcode');
        expect({ seed, number, again }).toMatchObject({
          again: expect.stringMatching(/No changes\.\n$/),
        });
        if (after === before) continue;
        await person.type('zonewright undo random.example --yes');
        expect({ seed, number, export: await exported() }).toEqual({
          seed,
          number,
          export: before,
        });
        await person.type('zonewright undo random.example --yes');
        expect({ seed, number, export: await exported() }).toEqual({ seed, number, export: after });
      }
    },
    60_000 + ZONES * 150_000,
  );

  /** Returns the exported zone without its serial, which increases. */
  async function exported(): Promise<string> {
    return (await person.type('zonewright domain export random.example')).replace(/ \d{10} /, ' ');
  }

  function pick<T>(...choices: readonly [T, ...T[]]): T {
    return choices[Math.floor(random() * choices.length)] ?? choices[0];
  }

  function randomZone(): string {
    const below = (limit: number) => Math.floor(random() * limit);
    const lines = new Set<string>(['mail 300 A 192.0.2.25']);
    for (let count = below(40); count > 0; count -= 1) {
      const name = pick('@', 'www', '*', 'a.b', '_sip._tcp', `host${below(9)}`);
      lines.add(
        pick(
          `${name} A 192.0.2.${below(250)}`,
          `${name} 60 AAAA 2001:db8::${below(9999)}`,
          `${name} TXT "text ${below(99)}; with \\"quotes\\""`,
          `@ MX ${below(50)} mail`,
          `_sip._tcp SRV ${below(9)} 5 5060 mail`,
          `@ CAA 0 issue "ca${below(9)}.example.net"`,
          `alias${below(99)} CNAME host1`,
        ),
      );
    }
    return `$ORIGIN random.example.\n$TTL 3600\n${[...lines].join('\n')}\n`;
  }
});
