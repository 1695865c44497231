import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PYTHON, run } from './foreign-programs.js';
import { PROJECT } from './running-platform.js';

/** Requirements in addition to Debian's packages zonemaster-cli, dnsviz, nsd and iproute2: a separate network. */
export const INSPECTORS = {
  programs: ['zonemaster-cli', 'dnsviz', 'ip', 'dig'],
  conditions: ['test -x /usr/sbin/nsd', 'unshare -rn true'],
} as const;

export interface InspectedZone {
  readonly name: string;
  /** DS and DNSKEY records from the API. */
  readonly ds: readonly string[];
  readonly dnskey: readonly string[];
  /** Names in addition to the apex, existing or not. */
  readonly names: readonly string[];
}

export interface Inspection {
  /** Everything that they report as an error or a warning. */
  readonly complaints: readonly string[];
  /** Complete output of zonemaster-cli, line by line. */
  readonly remarks: readonly string[];
  /** Findings of dnsviz about answers, denials and signatures at each given name. */
  readonly statuses: Readonly<Record<string, readonly string[]>>;
}

const ROOT_ADDRESS = '185.30.3.1';
/** Profile without tests that query external services about addresses: address02, address03, connectivity03. */
const PROFILE = JSON.stringify({
  net: { ipv4: true, ipv6: false },
  test_cases: [
    ...testCases('address', [1]),
    ...testCases('basic', [3]),
    ...testCases('connectivity', [1, 2]),
    ...testCases('consistency', [1, 2, 3, 4, 5, 6]),
    ...testCases('dnssec', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 18]),
    ...testCases('delegation', [1, 2, 3, 4, 5, 6, 7]),
    ...testCases('nameserver', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]),
    ...testCases('syntax', [1, 2, 3, 4, 5, 6, 7, 8]),
    ...testCases('zone', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
  ],
});
/** Debian's pygraphviz lacks a module that dnsviz imports, but nothing is drawn. */
const GROK = `
import sys, types, pygraphviz
pygraphviz.release = types.SimpleNamespace(version=pygraphviz.__version__)
from dnsviz.commands.grok import main
main(['grok'] + sys.argv[1:])
`;

function testCases(module: string, numbers: readonly number[]): string[] {
  return numbers.map((number) => `${module}${String(number).padStart(2, '0')}`);
}

/**
 * Checks signed zones with zonemaster-cli and dnsviz, at nameservers that answer from a snapshot. They run in a
 * separate network, with addresses like those of the Internet and a root that knows only these zones. No external
 * server is queried.
 */
export class SignedZoneInspectors {
  readonly #folder = mkdtempSync(join(tmpdir(), 'zonewright-inspectors-'));
  readonly #snapshots: string;
  /** Addresses of the nameservers by name. */
  readonly #servers: ReadonlyMap<string, string>;

  /** Takes the folder of a nameserver's snapshots, and the NS names of the zones. */
  constructor(snapshots: string, serverNames: readonly string[]) {
    this.#snapshots = snapshots;
    this.#servers = new Map(serverNames.map((name, at) => [name, `185.${100 + at}.1.1`]));
  }

  inspect(zones: readonly InspectedZone[]): Inspection[] {
    this.#write('profile.json', PROFILE);
    this.#write('hints', `. 3600 IN NS a.root.\na.root. 3600 IN A ${ROOT_ADDRESS}\n`);
    this.#write('root.zone', this.#rootZone(zones));
    this.#write('nsd.conf', nsdConfig(this.#folder));
    this.#write('grok.py', GROK);
    const script = [
      ...['set -e', `cd '${this.#folder}'`, 'ip link set lo up', 'ip route add default dev lo'],
      ...[ROOT_ADDRESS, ...this.#servers.values()].map((ip) => `ip addr add ${ip}/32 dev lo`),
      '/usr/sbin/nsd -d -c nsd.conf >nsd.log 2>&1 &',
      ...[...this.#servers.values()].map((ip) => this.#startNameserver(ip)),
      ...[...this.#servers.values()].map((ip) => awaitAnswer(ip, zones[0]?.name ?? '')),
      ...zones.flatMap((zone, at) => this.#lookAt(zone, at)),
    ].join('\n');
    // All processes of the namespace end with it.
    const { status, stdout, stderr } = run('unshare', [
      ...['-rnpf', '--kill-child', 'timeout', '110', 'sh', '-c', script],
    ]);
    if (status !== 0) throw new Error(`The inspectors failed: ${status} ${stdout}${stderr}`);
    return zones.map((_, at) => this.#read(at));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #startNameserver(host: string): string {
    const env = {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      LOG_LEVEL: 'error',
      NAMESERVER_HOST: host,
      NAMESERVER_PORT: '53',
      NAMESERVER_OPERATIONS_PORT: '0',
      NAMESERVER_UDP_WORKERS: '1',
      NAMESERVER_RATE_LIMIT: 'false',
      NAMESERVER_SNAPSHOT_DIR: this.#snapshots,
    };
    const settings = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
    const program = join(PROJECT, 'packages/nameserver/dist/main.js');
    return `${settings.join(' ')} '${process.execPath}' '${program}' >>nameservers.log 2>&1 &`;
  }

  #lookAt({ name, ds, dnskey, names }: InspectedZone, at: number): string[] {
    const servers = [...this.#servers];
    const delegation = [
      ...servers.map(([server, ip]) => `--ns ${server}/${ip}`),
      ...ds.map((each) => `--ds ${each.replaceAll(' ', ',')}`),
    ].join(' ');
    const addresses = servers.map(([server, ip]) => `${server}=${ip}`).join();
    this.#write(`anchors-${at}`, dnskey.map((key) => `${name} IN DNSKEY ${key}\n`).join(''));
    const anchors = `-t anchors-${at} -r probe-${at}`;
    return [
      `zonemaster-cli --no-ipv6 --hints hints --profile profile.json --level INFO --raw ${delegation} ${name} >zonemaster-${at}`,
      `dnsviz probe -d 1 -A -4 -a ${name} -x '${name}+:${addresses}' -o probe-${at} ${[name, ...names].join(' ')}`,
      `${PYTHON} grok.py -l warning ${anchors} >dnsviz-${at}`,
      `${PYTHON} grok.py -l info ${anchors} >found-${at}`,
    ];
  }

  #read(at: number): Inspection {
    const read = (file: string) => readFileSync(join(this.#folder, `${file}-${at}`), 'utf8');
    const remarks = read('zonemaster').split('\n');
    const found = JSON.parse(read('found')) as Record<string, Found>;
    return {
      complaints: [
        ...remarks.filter((line) => /\b(?:WARNING|ERROR|CRITICAL)\b/.test(line)),
        ...read('dnsviz').split('\n').filter(Boolean),
      ],
      remarks,
      statuses: Object.fromEntries(
        Object.entries(found).map(([name, of]) => [name, statusesIn(name, of)]),
      ),
    };
  }

  #rootZone(zones: readonly InspectedZone[]): string {
    const servers = [...this.#servers];
    return [
      '. 3600 IN SOA a.root. admin.root. 1 14400 3600 1209600 300',
      '. 3600 IN NS a.root.',
      `a.root. 3600 IN A ${ROOT_ADDRESS}`,
      ...servers.map(([server, ip]) => `${server} 3600 IN A ${ip}`),
      ...zones.flatMap(({ name }) => servers.map(([server]) => `${name} 3600 IN NS ${server}`)),
      '',
    ].join('\n');
  }

  #write(file: string, text: string): void {
    writeFileSync(join(this.#folder, file), text);
  }
}

/** Findings of dnsviz about a name. */
interface Found {
  readonly status: string;
  readonly queries?: Readonly<Record<string, unknown>>;
}

/** Returns the statuses of a name. Sometimes dnsviz also queries a name of its own below the given one. */
function statusesIn(name: string, { status, queries = {} }: Found): string[] {
  const own = Object.entries(queries).filter(([query]) => query.startsWith(`${name}/`));
  const found = [...JSON.stringify(own).matchAll(/"status":"(\w+)"/g)].map(([, each = '']) => each);
  return [...new Set([status, ...found])].sort();
}

function awaitAnswer(ip: string, zone: string): string {
  const question = `dig +time=1 +tries=1 +short @${ip} ${zone} SOA`;
  return `until ${question} | grep -q '^[^;]'; do sleep 0.1; done`;
}

function nsdConfig(folder: string): string {
  return `
server:
  ip-address: ${ROOT_ADDRESS}
  username: ""
  chroot: ""
  zonesdir: "${folder}"
  database: ""
  pidfile: ""
  xfrdfile: ""
  xfrdir: "${folder}"
  zonelistfile: "${folder}/zone.list"
remote-control:
  control-enable: no
zone:
  name: "."
  zonefile: "root.zone"
`;
}
