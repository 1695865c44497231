#!/usr/bin/env node
// `systemctl` of a test host without systemd: starts the programs of units as their user with their settings, and stores which are enabled. `start` without a unit starts all of them, as a boot does. It does not restart programs.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';

const FOLDERS = ['/etc/systemd/system', '/lib/systemd/system'];
const ENABLED = '/var/lib/enabled-units';
const NOBODY = '65534';

const [command, ...rest] = process.argv.slice(2);
const named = rest.filter((argument) => !argument.startsWith('--'));
const enabled = existsSync(ENABLED)
  ? readFileSync(ENABLED, 'utf8').split('\n').filter(Boolean)
  : [];
if (command === 'enable') writeFileSync(ENABLED, [...new Set([...enabled, ...named])].join('\n'));
if (['enable', 'start'].includes(command))
  for (const unit of named.length > 0 ? named : enabled) start(unit.replace(/\.service$/, ''));

function start(name) {
  const settings = readUnit(name);
  const last = (key) => settings.filter(([found]) => found === key).at(-1)?.[1];
  const all = (key) => settings.filter(([found]) => found === key).map(([, value]) => value);
  const user = last('User') ?? (last('DynamicUser') === 'yes' ? NOBODY : '0');
  const [uid, gid] = idsOf(user);
  for (const folder of all('StateDirectory')) provide(join('/var/lib', folder), uid, gid);
  for (const folder of all('RuntimeDirectory')) provide(join('/run', folder), uid, gid);
  for (const credential of all('LoadCredential')) {
    const [id, path] = credential.split(':');
    const folder = join('/run/credentials', `${name}.service`);
    provide(folder, uid, gid);
    copyFileSync(path, join(folder, id));
    chownSync(join(folder, id), uid, gid);
    chmodSync(join(folder, id), 0o400);
  }
  const env = Object.fromEntries([
    ...['PATH', 'TMPDIR'].map((key) => [key, process.env[key] ?? '']),
    ...all('Environment').flatMap((text) => assignments(text.replaceAll(' ', '\n'))),
    ...all('EnvironmentFile').flatMap((file) => assignments(readVariables(file))),
  ]);
  const words = last('ExecStart')
    .replace(/\$\{?(\w+)\}?/g, (_, variable) => env[variable] ?? '')
    .replace('/usr/bin/node', process.execPath)
    .split(' ')
    .filter(Boolean);
  const capabilities = last('AmbientCapabilities')?.toLowerCase().replaceAll('cap_', '+');
  const rights =
    capabilities === undefined
      ? []
      : [`--inh-caps=${capabilities}`, `--ambient-caps=${capabilities}`];
  const log = openSync(`/var/log/${name}.log`, 'a');
  const as = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...rights];
  spawn('setpriv', [...as, '--', ...words], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
    env,
  }).unref();
}

/** Reads the settings of [Service]. Later files override earlier ones. */
function readUnit(name) {
  const [prefix, instance] = name.split('@');
  const file = instance === undefined ? `${name}.service` : `${prefix}@.service`;
  const own = FOLDERS.map((folder) => join(folder, file)).find((path) => existsSync(path));
  if (own === undefined) {
    console.error(`Unit ${name}.service could not be found.`);
    process.exit(5);
  }
  const dropIns = FOLDERS.map((folder) => join(folder, `${file}.d`))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((each) => join(folder, each)));
  const specifiers = {
    i: instance ?? '',
    n: `${name}.service`,
    p: prefix,
    H: hostname(),
    S: '/var/lib',
    d: `/run/credentials/${name}.service`,
  };
  return [own, ...dropIns]
    .flatMap((path) => readFileSync(path, 'utf8').replaceAll('\\\n', ' ').split('\n'))
    .filter((line) => /^[A-Z]\w+=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
    .map(([key, value]) => [key, value.replace(/%(\w)/g, (text, at) => specifiers[at] ?? text)]);
}

/** Reads a file with variables. A dash before the name means that it may be missing. */
function readVariables(file) {
  const path = file.replace(/^-/, '');
  return existsSync(path) || path === file ? readFileSync(path, 'utf8') : '';
}

function assignments(text) {
  return text
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
    .map((line) => [
      line.slice(0, line.indexOf('=')),
      line.slice(line.indexOf('=') + 1).replace(/^"(.*)"$/, '$1'),
    ]);
}

function idsOf(user) {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  const [, , uid, gid] =
    lines.map((line) => line.split(':')).find(([login]) => login === user) ?? [];
  return [Number(uid ?? user), Number(gid ?? user)];
}

function provide(folder, uid, gid) {
  mkdirSync(folder, { recursive: true });
  chownSync(folder, uid, gid);
  if (basename(folder).startsWith('zonewright')) chmodSync(folder, 0o700);
}
