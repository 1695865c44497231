import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readCodeBlocks } from '@zonewright/testkit';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, RunningPlatform } from '../support/running-platform.js';
import { Person } from './command.js';

const GUIDE = join(PROJECT, 'docs/guide');
/** Without these: the console's page has clicks, and no commands. */
const NO_COMMANDS = ['README.md', 'console.md'];
const PAGES = readdirSync(GUIDE).filter((page) => !NO_COMMANDS.includes(page));

describe('docs/guide', () => {
  let platform: RunningPlatform;

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start();
  }, 150_000);
  afterAll(async () => {
    await platform.remove();
  });

  it.each(PAGES)(
    '%s: every command does what it is there for',
    async (page) => {
      const commands = readCodeBlocks(readFileSync(join(GUIDE, page), 'utf8'), 'sh').join('\n');
      expect(commands).toContain('zonewright ');
      const person = await Person.create();
      try {
        mkdirSync(join(person.home, '.zonewright'));
        symlinkSync(
          join(platform.dataFolder, 'demo.env'),
          join(person.home, '.zonewright/demo.env'),
        );
        await person.type('zonewright login --env-file .zonewright/demo.env');
        // Any command that fails ends the shell with its code, which stands in brackets then.
        expect(await person.type(`set -e\n${commands}`)).not.toMatch(/^\[\d+\]$/m);
      } finally {
        await person.leave();
      }
    },
    300_000,
  );
});
