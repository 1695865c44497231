import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOf } from '../src/embedded/running-process.js';
import { DataFolder } from '../src/launcher/data-folder.js';

const itAsRoot = process.getuid?.() === 0 ? it : it.skip;
let parent: string;
let path: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'zonewright-data-'));
  path = join(parent, 'data');
});
afterEach(() => {
  rmSync(parent, { recursive: true });
});

describe('secrets.json', () => {
  const file = () => join(path, 'secrets.json');

  it('is created once, readable only by its owner', () => {
    const folder = DataFolder.open(path);
    const made = folder.readSecrets();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(folder.readSecrets()).toEqual(made);
  });

  it('of an earlier version gets the missing keys, once', () => {
    const folder = DataFolder.open(path);
    const { transferEncryptionKeys, signerEncryptionKeys, signerSecret, ...before } =
      folder.readSecrets();
    folder.writePrivate('secrets.json', JSON.stringify(before));
    const completed = folder.readSecrets();
    expect(completed).toEqual({
      ...before,
      transferEncryptionKeys: expect.any(String),
      signerEncryptionKeys: expect.any(String),
      signerSecret: expect.any(String),
    });
    expect(completed.signerEncryptionKeys).not.toBe(signerEncryptionKeys);
    expect(completed.signerSecret).not.toBe(signerSecret);
    expect(completed.transferEncryptionKeys).not.toBe(transferEncryptionKeys);
    expect(folder.readSecrets()).toEqual(completed);
  });

  it.each([
    ['empty', '', 'it is not complete JSON'],
    ['cut', '{"postgresPassword":"hunter2', 'it is not complete JSON'],
    ['without the keys', '{"postgresPassword":"hunter2"}', 'it has no encryptionKeys'],
    ['something else', 'null', 'it has no postgresPassword'],
  ])(
    '%s: the error contains the name but no secret, and the file is unchanged',
    (_name, content, problem) => {
      const folder = DataFolder.open(path);
      writeFileSync(file(), content);
      expect(() => folder.readSecrets()).toThrow(`${file()} cannot be read: ${problem}.`);
      expect(() => folder.readSecrets()).not.toThrow('hunter2');
      expect(readFileSync(file(), 'utf8')).toBe(content);
    },
  );

  it('a file that cannot be read is not treated as missing', () => {
    const folder = DataFolder.open(path);
    mkdirSync(file());
    expect(() => folder.readSecrets()).toThrow(/secrets\.json cannot be read: EISDIR/);
  });

  it('missing although the database exists: an error, and no new secrets', () => {
    const folder = DataFolder.open(path);
    mkdirSync(join(path, 'postgres'));
    writeFileSync(join(path, 'postgres', 'PG_VERSION'), '18\n');
    expect(() => folder.readSecrets()).toThrow(/secrets\.json is missing, but the database/);
  });
});

describe('launcher.pid', () => {
  const file = () => join(path, 'launcher.pid');
  const own = (pid: number, start: string) => {
    mkdirSync(path);
    writeFileSync(file(), `${pid}\n${start}`);
  };

  it('refuses a second launcher', async () => {
    const launcher = spawn('sh', ['-c', 'echo ready; read _', 'start.mjs'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    await once(launcher.stdout, 'data');
    own(launcher.pid!, `${startOf(launcher.pid!)}\n`);
    expect(() => DataFolder.open(path)).toThrow(`already running on ${path} (process `);

    const exited = once(launcher, 'exit');
    launcher.stdin.end();
    await exited;
    expect(() => {
      DataFolder.open(path).close();
    }).not.toThrow();
  });

  it.each([
    ['another program that now has the number', () => `${startOf(process.ppid)}0\n`],
    ['another program, and a file with only the number', () => ''],
  ])('%s is not a launcher', (_name, start) => {
    own(process.ppid, start());
    expect(() => {
      DataFolder.open(path).close();
    }).not.toThrow();
  });

  it('a value that is not a number was left by a killed launcher', () => {
    own(NaN, '');
    expect(() => {
      DataFolder.open(path).close();
    }).not.toThrow();
  });
});

itAsRoot('root in the folder of a user leaves all that it makes to that user', () => {
  chownSync(parent, 12_345, 12_345);
  const folder = DataFolder.open(path);
  folder.readSecrets();
  folder.logFile('postgres');
  for (const name of ['', 'secrets.json', 'launcher.pid', 'logs', 'logs/postgres.log']) {
    expect({ name, uid: statSync(join(path, name)).uid }).toEqual({ name, uid: 12_345 });
  }
});

itAsRoot('root with a umask of 077: others may walk through, and not look around', () => {
  const before = process.umask(0o077);
  try {
    DataFolder.open(path);
  } finally {
    process.umask(before);
  }
  expect(statSync(path).mode & 0o777).toBe(0o711);
});
