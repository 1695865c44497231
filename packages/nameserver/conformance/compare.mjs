// Runs the conformance suite against another server, which checks the expectations and not only our code:
//
//   node packages/nameserver/conformance/compare.mjs nsd|knot [jest arguments]
//
// It starts the server (Debian packages nsd, knot) with the zones of conformance/zones on a free port of 127.0.0.1, and
// stops it afterwards. differences.txt explains the tests that fail.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ZONES_FOLDER = fileURLToPath(new URL('zones/', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COOKIE_SECRET = 'e5e973e5a6b2a43f48e7dc849e37bfcf';
const STARTUP_MS = 5_000;

const zones = readdirSync(ZONES_FOLDER)
  .filter((file) => file.endsWith('.zone'))
  .map((file) => ({ name: file.slice(0, -'.zone'.length), file: join(ZONES_FOLDER, file) }));

/** The program, arguments and configuration of each server, for a given folder and port. */
const SERVERS = {
  nsd: (folder, port) => ({
    command: ['/usr/sbin/nsd', '-d', '-c', join(folder, 'config')],
    config: `
server:
  ip-address: 127.0.0.1@${port}
  username: ""
  zonesdir: "${folder}"
  database: ""
  pidfile: "${folder}/pid"
  zonelistfile: "${folder}/zone.list"
  xfrdfile: "${folder}/xfrd.state"
  xfrdir: "${folder}"
  identity: "ns1-1"
  nsid: "ascii_ns1-1"
  version: "conformance"
  minimal-responses: no
  rrl-ratelimit: 0
  answer-cookie: yes
  cookie-secret: "${COOKIE_SECRET}"
remote-control:
  control-enable: no
${zones.map(({ name, file }) => `zone:\n  name: "${name}"\n  zonefile: "${file}"`).join('\n')}
`,
  }),
  knot: (folder, port) => ({
    command: ['/usr/sbin/knotd', '-c', join(folder, 'config')],
    config: `
server:
  rundir: "${folder}"
  listen: 127.0.0.1@${port}
  identity: "ns1-1"
  version: "conformance"
  nsid: "ns1-1"
database:
  storage: "${folder}"
log:
  - target: stderr
    any: error
mod-cookies:
  - id: default
    secret: 0x${COOKIE_SECRET}
template:
  - id: default
    storage: "${folder}"
    global-module: mod-cookies/default
    semantic-checks: off
    zonefile-sync: -1
    journal-content: none
zone:
${zones.map(({ name, file }) => `  - domain: "${name}."\n    file: "${file}"`).join('\n')}
`,
  }),
};

const [name, ...jestArguments] = process.argv.slice(2);
const describeServer = SERVERS[name];
if (describeServer === undefined)
  throw new Error(`Say which server: ${Object.keys(SERVERS).join(', ')}.`);

const folder = mkdtempSync(join(tmpdir(), `conformance-${name}-`));
const port = await findFreePort();
const { command, config } = describeServer(folder, port);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'config'), config);
const server = spawn(command[0], command.slice(1), { stdio: ['ignore', 'inherit', 'inherit'] });
try {
  await untilListening(port);
  process.exitCode = await runSuite(port);
} finally {
  server.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

async function findFreePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port: free } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return free;
}

/** Waits until the server accepts a connection. */
async function untilListening(portOfServer) {
  const { connect } = await import('node:net');
  const deadline = Date.now() + STARTUP_MS;
  for (;;) {
    const isUp = await new Promise((resolve) => {
      const socket = connect(portOfServer, '127.0.0.1');
      socket.once('connect', () => (socket.destroy(), resolve(true)));
      socket.once('error', () => resolve(false));
    });
    if (isUp) return;
    if (Date.now() > deadline) throw new Error(`${name} does not listen on port ${portOfServer}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function runSuite(portOfServer) {
  const jest = spawn(
    process.execPath,
    [
      join(ROOT, 'node_modules/jest/bin/jest.js'),
      '--selectProjects=nameserver',
      '--testPathPatterns=nameserver/conformance/',
      ...jestArguments,
    ],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: {
        ...process.env,
        NODE_OPTIONS: '--experimental-vm-modules',
        DNS_TEST_SERVER: `127.0.0.1:${portOfServer}`,
      },
    },
  );
  return new Promise((resolve) => jest.once('exit', resolve));
}
