import { sendQuery } from '@zonewright/testkit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROJECT, RunningPlatform } from '../support/running-platform.js';
import { Person } from './command.js';

describe('a stranger who reads nothing but what npm start prints', () => {
  let platform: RunningPlatform;
  let person: Person;

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    person = await Person.create();
    await platform.start({ ZONEWRIGHT_NAMESERVER_COUNT: '6' });
  }, 150_000);
  afterAll(async () => {
    await platform.remove();
    await person.leave();
  });

  it('has a record that all six nameservers answer with, in fewer than six commands', async () => {
    const lines = platform.output.split('\n').map((line) => line.trim());
    const commands = lines.filter((line) => line.startsWith('./zonewright '));
    expect(commands.length).toBeGreaterThan(2);
    expect(commands.length).toBeLessThan(6);
    let screen = '';
    for (const command of commands) screen += await person.type(`cd "${PROJECT}" && ${command}`);
    expect(screen.match(/^✔ ns1-[1-6]/gm)).toHaveLength(6);
    const addresses = [...screen.matchAll(/^✔ \S+ \((.*?):(\d+)\)/gm)];
    const answers = await Promise.all(
      addresses.map(([, host = '', port]) =>
        sendQuery({ host, port: Number(port) }, 'www.my-domain.example', 'A'),
      ),
    );
    expect(answers.map((answer) => answer.answers.length)).toEqual([1, 1, 1, 1, 1, 1]);
  }, 120_000);
});
