import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { readSecret } from './secret-input.js';

/** A terminal with a user who types an answer as soon as a prompt appears. */
function openTerminal(answers: readonly string[]) {
  const rawModes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (mode: boolean) => rawModes.push(mode),
  });
  const left = [...answers];
  const screen = { text: '' };
  const write = (chunk: Buffer, _encoding: BufferEncoding, done: () => void) => {
    screen.text += chunk.toString();
    if (chunk.toString().endsWith(': ')) {
      const typed = left.shift() ?? '';
      // Outside raw mode the terminal itself shows typed characters.
      if (rawModes.at(-1) !== true) screen.text += typed;
      stdin.write(typed);
    }
    done();
  };
  const output = () => new Writable({ write });
  return { host: { env: {}, stdin, stdout: output(), stderr: output() }, screen, rawModes };
}

const QUESTION = { what: 'password', option: '--password-stdin', fromStdin: false };

describe('readSecret', () => {
  it('asks twice, in raw mode, and echoes nothing', async () => {
    const { host, screen, rawModes } = openTerminal(['geheim\r', 'geheim\r']);
    expect(await readSecret(host, QUESTION)).toBe('geheim');
    expect(screen.text).toBe('New password: \nRepeat the password: \n');
    expect(rawModes).toEqual([true, false]);
  });

  it('allows corrections of the input', async () => {
    const { host } = openTerminal(['gex\u007fheim\r', 'geheim\r']);
    expect(await readSecret(host, QUESTION)).toBe('geheim');
  });

  it('refuses two entries that differ, without showing them', async () => {
    const { host, screen } = openTerminal(['geheim\r', 'geheym\r']);
    await expect(readSecret(host, QUESTION)).rejects.toThrow(
      'the two inputs of the password do not match',
    );
    expect(screen.text).not.toContain('gehe');
  });

  it('ends with Ctrl-C and restores the terminal', async () => {
    const { host, rawModes } = openTerminal(['geh\u0003']);
    await expect(readSecret(host, QUESTION)).rejects.toThrow('interrupted');
    expect(rawModes).toEqual([true, false]);
  });

  it('ends with Ctrl-D', async () => {
    const { host } = openTerminal(['\u0004']);
    await expect(readSecret(host, QUESTION)).rejects.toThrow('nothing was entered');
  });
});
