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
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly restart?: string;
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
}
const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, ComposeService>;
};

describe('issue 8: images', () => {
  it.each(DOCKERFILES)('%s: two stages, no root, no tools, labels', (name) => {
    const [build = '', final = ''] = read(`docker/${name}`).split(/\nFROM [^\n]*bookworm-slim\n/);
    expect(build).toMatch(/^FROM \S+ AS build$/m);
    expect(final).toMatch(/^USER node$/m);
    expect(final).toMatch(/^RUN rm -rf .*npm.*corepack/m);
    expect(final).not.toMatch(/^RUN (apt|npm|pnpm)/m);
    for (const label of ['title', 'description', 'licenses', 'version', 'revision', 'source']) {
      expect(final).toContain(`org.opencontainers.image.${label}=`);
    }
    // The one-shot programs have no health to ask about.
    expect(/^HEALTHCHECK /m.test(final)).toBe(name !== 'admin.Dockerfile');
  });

  it('all Dockerfiles share their first layers', () => {
    const shared = DOCKERFILES.map(
      (name) =>
        read(`docker/${name}`)
          .replace(/^[\s\S]*?WORKDIR/, '')
          .split('\n# Only what production')[0],
    );
    expect(new Set(shared).size).toBe(1);
    const copied = [...(shared[0] ?? '').matchAll(/^COPY packages\/(\S+)\/package.json/gm)];
    expect(copied.map(([, name]) => name)).toEqual(PACKAGES.toSorted());
  });
});

describe('issue 8: docker-compose.yml', () => {
  it.each(Object.entries(compose.services))(
    '%s: read-only root, no capabilities it does not need, no new privileges',
    (_name, service) => {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    },
  );

  it('ten containers come back by themselves, and PostgreSQL keeps its data in a volume', () => {
    const lasting = Object.values(compose.services).filter(
      ({ restart }) => restart === 'unless-stopped',
    );
    expect(lasting).toHaveLength(10);
    expect(compose.services['postgres']?.volumes).toHaveLength(1);
  });

  it('the databases are in no network that leads outside', () => {
    expect(compose.services['postgres']?.networks).toEqual(['data']);
    expect(compose.services['redis']?.networks).toEqual(['data']);
  });
});
