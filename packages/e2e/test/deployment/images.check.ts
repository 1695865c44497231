import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PROJECT } from '../support/running-platform.js';

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');
const DOCKERFILES = readdirSync(join(PROJECT, 'docker')).filter((name) =>
  name.endsWith('.Dockerfile'),
);
const PACKAGES = readdirSync(join(PROJECT, 'packages'));

interface ComposeService {
  readonly image: string;
  readonly build?: object;
  readonly pull_policy?: string;
  readonly mem_limit?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly restart?: string;
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[] | Readonly<Record<string, unknown>>;
}

interface ComposeNetwork {
  readonly internal?: boolean;
  readonly ipam?: { readonly config: readonly { readonly subnet: string }[] };
}
const compose = parse(read('docker-compose.yml'), { merge: true, maxAliasCount: -1 }) as {
  services: Record<string, ComposeService>;
  networks: Record<string, ComposeNetwork | null>;
};

describe('images', () => {
  it.each(DOCKERFILES)('%s: has two stages, no root, no tools, and labels', (name) => {
    const [build = '', final = ''] = read(`docker/${name}`).split(/\nFROM \$\{NODE_IMAGE\}\n/);
    // One argument for both stages, so that a digest pins both.
    expect(build).toMatch(
      /^ARG NODE_IMAGE=node:\d+-bookworm-slim\nFROM \$\{NODE_IMAGE\} AS build$/m,
    );
    expect(final).toMatch(/^USER node$/m);
    expect(final).toMatch(/^RUN rm -rf .*npm.*corepack/m);
    expect(final).not.toMatch(/^RUN (apt|npm|pnpm)/m);
    for (const label of ['title', 'description', 'licenses', 'version', 'revision', 'source']) {
      expect(final).toContain(`org.opencontainers.image.${label}=`);
    }
    // The one-shot programs have no health check.
    expect(/^HEALTHCHECK /m.test(final)).toBe(
      !['admin.Dockerfile', 'cli.Dockerfile'].includes(name),
    );
  });

  it('all Dockerfiles share their first layers', () => {
    const shared = DOCKERFILES.map(
      (name) =>
        read(`docker/${name}`)
          .replace(/^[\s\S]*?WORKDIR/, '')
          .split('\n# The image contains only what production')[0],
    );
    expect(new Set(shared).size).toBe(1);
    const copied = [...(shared[0] ?? '').matchAll(/^COPY packages\/(\S+)\/package.json/gm)];
    expect(copied.map(([, name]) => name)).toEqual(PACKAGES.toSorted());
  });
});

describe('docker-compose.yml', () => {
  it.each(Object.entries(compose.services))(
    '%s: has a read-only root, only necessary capabilities, and no new privileges',
    (_name, service) => {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    },
  );

  it('twelve containers restart automatically, and PostgreSQL keeps its data in a volume', () => {
    const lasting = Object.values(compose.services).filter(
      ({ restart }) => restart === 'unless-stopped',
    );
    expect(lasting).toHaveLength(12);
    expect(compose.services['postgres']?.volumes).toContain('postgres-data:/var/lib/postgresql');
  });

  it('starts without an .env, and no variable of a program holds a secret', () => {
    expect(read('docker-compose.yml')).not.toContain(':?');
    const { secrets, ...others } = compose.services;
    const handed = Object.keys(secrets?.environment ?? {});
    const made = read('docker/secret-values.mjs').match(/^ {2}\w+(?=:)/gm) ?? [];
    expect(handed).toEqual(made.map((name) => name.trim()));
    for (const { environment = {}, volumes = [] } of Object.values(others)) {
      const variables = Object.keys(environment);
      const open = variables.filter((name) =>
        [...handed, 'DATABASE_URL', 'REDIS_URL'].includes(name),
      );
      expect(open).toEqual([]);
      expect(volumes.filter((volume) => volume.startsWith('secrets-')).length).toBeLessThan(2);
    }
  });

  it('each volume of secrets has a folder in the image that determines its owner', () => {
    const [, list = ''] =
      /for name in ([\w -]+); do mkdir/.exec(read('docker/admin.Dockerfile')) ?? [];
    const mounted = compose.services['secrets']?.volumes?.map((volume) => volume.split(':')[1]);
    expect(mounted).toEqual(list.split(' ').map((name) => `/secrets/${name}`));
  });

  it('secrets that are read from a file are written there', () => {
    const script = read('docker/make-secrets.mjs');
    for (const { environment = {} } of Object.values(compose.services)) {
      for (const [name, path] of Object.entries(environment)) {
        if (!name.endsWith('_FILE') || !path.startsWith('/run/')) continue;
        expect(path).toBe(`/run/zonewright/${name.replace(/_FILE$/, '')}`);
        expect(script).toContain(name.replace(/_FILE$/, ''));
      }
    }
  });

  it.each(Object.entries(compose.services))(
    '%s: has limited memory, and our images come from no registry',
    (_name, { image, build, pull_policy: pullPolicy, mem_limit: memory }) => {
      expect(memory).toMatch(/\d+[mg]\}?$/);
      if (image.startsWith('zonewright/')) expect(pullPolicy).toBe('never');
      else expect(build).toBeUndefined();
    },
  );

  it('one service builds each of our images, so that none is built twice at a time', () => {
    const built = Object.values(compose.services).filter(({ build }) => build !== undefined);
    const ours = new Set(Object.values(compose.services).map(({ image }) => image));
    expect(built.map(({ image }) => image).toSorted()).toEqual(
      [...ours].filter((image) => image.startsWith('zonewright/')).toSorted(),
    );
  });

  it('no secret of .env is in the environment of a program that reads it from a file', () => {
    const { secrets, ...others } = compose.services;
    const names = Object.keys(secrets?.environment ?? {});
    expect(names).toContain('ENCRYPTION_KEYS');
    const shown = Object.entries(others).flatMap(([service, { environment = {} }]) =>
      Object.entries(environment)
        .filter(([, value]) => names.some((name) => value.includes(`\${${name}`)))
        .map(([variable]) => `${service} ${variable}`),
    );
    expect(shown).toEqual([]);
  });

  it('wrong passwords at the console count for the browser: only console-service can name its network', () => {
    const { TRUST_PROXY, TRUST_PROXY_ADDRESSES } =
      compose.services['identity-service']!.environment!;
    const subnet = /:-([\d./]+)\}/;
    expect(TRUST_PROXY).toContain(':-1}');
    const { console: network } = compose.networks;
    expect(network?.internal).toBe(true);
    const [config] = network?.ipam?.config ?? [];
    expect(subnet.exec(TRUST_PROXY_ADDRESSES!)?.[1]).toBe(subnet.exec(config?.subnet ?? '')?.[1]);
    const members = Object.entries(compose.services)
      .filter(([, { networks = [] }]) =>
        (Array.isArray(networks) ? networks : Object.keys(networks)).includes('console'),
      )
      .map(([name]) => name);
    expect(members).toEqual(['identity-service', 'console-service']);
  });

  it('the databases and the signer are in no network with access to the outside', () => {
    expect(compose.services['postgres']?.networks).toEqual(['data']);
    expect(compose.services['redis']?.networks).toEqual(['data']);
    expect(compose.services['signer']?.networks).toEqual(['data']);
  });
});
