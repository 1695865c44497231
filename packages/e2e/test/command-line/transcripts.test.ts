import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { itWith } from '../support/foreign-programs.js';
import { RunningPlatform } from '../support/running-platform.js';
import { Person } from './command.js';

const FOLDER = new URL('transcripts/', import.meta.url);
const TRANSCRIPTS = readdirSync(FOLDER);
/** Transcript that also performs the commands printed by `--curl`. */
const WITH_CURL = 'options.txt';
/** Writes the current screen, for review in the diff. */
const IS_WRITING = process.env['WRITE_TRANSCRIPTS'] === '1';

describe('what a person sees of each command', () => {
  let platform: RunningPlatform;
  let facts: Record<string, string>;

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start({ ZONEWRIGHT_NAMESERVER_COUNT: '6' });
    facts = await platform.readDemoEnvironment();
  }, 150_000);
  afterAll(async () => {
    await platform.remove();
  });

  /** Types the commands of a transcript, and compares the screen. */
  const expectSame = async (name: string) => {
    const file = new URL(name, FOLDER);
    const expected = readFileSync(file, 'utf8');
    const person = await Person.create();
    const env = {
      DEMO_ENV: `${platform.dataFolder}/demo.env`,
      IDENTITY_URL: facts['ZONEWRIGHT_IDENTITY_URL'] ?? '',
      DEMO_PASSWORD: facts['ZONEWRIGHT_PASSWORD'] ?? '',
    };
    let actual = '';
    try {
      for (const [, line = ''] of expected.matchAll(/^\$ (.*)$/gm)) {
        const screen = await person.type(line, env);
        for (const secret of [facts['ZONEWRIGHT_PASSWORD'], facts['ZONEWRIGHT_SECRET_KEY']]) {
          expect(screen).not.toContain(secret);
        }
        actual += `$ ${line}\n${screen}`;
      }
    } finally {
      await person.leave();
    }
    const shown = normalize(actual);
    if (IS_WRITING) writeFileSync(file, shown);
    else expect(shown).toBe(expected);
  };
  it.each(TRANSCRIPTS.filter((name) => name !== WITH_CURL))(
    '%s',
    (name) => expectSame(name),
    300_000,
  );
  itWith('curl', '--version')(WITH_CURL, () => expectSame(WITH_CURL), 300_000);

  it('shows every existing command', async () => {
    const person = await Person.create();
    const namesIn = (help: string) => {
      const [, commands = ''] = /Commands:\n([\s\S]*?)\n\n/.exec(help) ?? [];
      return [...commands.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name);
    };
    try {
      const all: string[] = [];
      for (const name of namesIn(await person.type('zonewright --help')).filter(
        (each) => each !== 'help',
      )) {
        const below = namesIn(await person.type(`zonewright ${name} --help`));
        const leaves = below.filter((each) => each !== 'help');
        all.push(...(leaves.length === 0 ? [name] : leaves.map((each) => `${name} ${each}`)));
      }
      expect(all.length).toBeGreaterThan(10);
      const shown = TRANSCRIPTS.map((name) => readFileSync(new URL(name, FOLDER), 'utf8')).join('');
      expect(all.filter((name) => !shown.includes(`zonewright ${name}`))).toEqual([]);
    } finally {
      await person.leave();
    }
  }, 60_000);
});

/** Replaces values that differ in each run. */
function normalize(text: string): string {
  return text
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<id>')
    .replaceAll(/\b[0-9a-f]{32}\b/g, '<id>')
    .replaceAll(/\b[0-9A-Z]{20}\b/g, '<key>')
    .replaceAll(/\b1[78]\d{8}\b/g, '<serial>')
    .replaceAll(/127\.0\.0\.1:\d+/g, '<address>')
    .replaceAll(/\d+ ms/g, '<n> ms')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?/g, '<time>')
    .replaceAll(new RegExp(`${tmpdir()}/zonewright-[^/\\s]+`, 'g'), '<folder>')
    .replaceAll(/ on [\w.-]+$/gm, ' on <host>');
}
