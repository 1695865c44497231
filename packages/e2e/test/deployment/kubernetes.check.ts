import { describe, expect, it } from '@jest/globals';
import { readRedisUrl } from '@zonewright/service-kit';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PROJECT } from '../support/running-platform.js';
import { findSchemaError, findUnknownMembers } from './kubernetes-schema.js';
import {
  findMissing,
  KUSTOMIZATIONS,
  MANIFEST_FILES,
  type Manifest,
  parseManifests,
  readManifests,
} from './manifests.js';

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: { readonly name: string; readonly key: string };
    readonly configMapKeyRef?: { readonly name: string; readonly key: string };
  };
}
interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly env: readonly Variable[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: unknown;
  readonly resources: unknown;
}
interface PodSpec {
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly serviceAccountName: string;
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: unknown;
}
type Workload = Manifest & {
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: PodSpec;
    };
  };
};

const manifests = MANIFEST_FILES.flatMap(readManifests);
const workloads = manifests.filter(({ kind }) =>
  ['Deployment', 'StatefulSet', 'Job'].includes(kind),
) as Workload[];
const pods = workloads.map((workload) => [workload.metadata.name, workload] as const);
const containers = workloads.flatMap(({ spec }) => [
  ...(spec.template.spec.initContainers ?? []),
  ...spec.template.spec.containers,
]);
const variables = containers.flatMap(({ env }) => env);
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
const withKubectl = hasKubectl ? describe : describe.skip;
if (!hasKubectl)
  process.stderr.write('SKIPPED (no kubectl): kustomize itself on deploy/kubernetes\n');

describe('deploy/kubernetes complies with the schemas of the Kubernetes API and of operators', () => {
  it.each(MANIFEST_FILES)('%s', (path) => {
    expect(readManifests(path).map(findSchemaError).filter(Boolean)).toEqual([]);
  });

  it('has only members that the API knows', () => {
    expect(findUnknownMembers(manifests)).toEqual([]);
  }, 60_000);

  it('the check detects errors', () => {
    const [pod] = workloads;
    const broken = { ...pod, spec: { ...pod?.spec, replica: 2 } } as unknown as Manifest;
    expect(findUnknownMembers([broken]).join()).toContain(`'"replica"' does not exist`);
    const number = { ...pod, spec: { ...pod?.spec, template: 2 } } as unknown as Manifest;
    expect(findSchemaError(number)).toContain('template');
  }, 60_000);
});

describe('everything that deploy/kubernetes names exists', () => {
  it.each(KUSTOMIZATIONS)('$path names existing files and folders', (kustomization) => {
    expect(findMissing(kustomization)).toEqual([]);
  });

  it('every file with objects belongs to a kustomization', () => {
    const named = KUSTOMIZATIONS.flatMap(({ path, resources = [] }) =>
      resources.map((name) => join(dirname(path), name)),
    );
    expect(MANIFEST_FILES.filter((path) => !named.includes(path))).toEqual([]);
  });

  it('every key of the ConfigMap is defined and used', () => {
    const base = KUSTOMIZATIONS.find(({ path }) => path.includes('base/'));
    const made = base?.configMapGenerator?.[0]?.literals.map((literal) => literal.split('=')[0]);
    const used = variables.flatMap(({ valueFrom }) => valueFrom?.configMapKeyRef?.key ?? []);
    expect([...new Set(used)].toSorted()).toEqual(made?.toSorted());
  });

  it('the PodMonitor reads a port that every pod with metrics has, by a label that the set gives to all', () => {
    const monitor = manifests.find(({ kind }) => kind === 'PodMonitor');
    expect(monitor).toMatchObject({
      apiVersion: 'monitoring.coreos.com/v1',
      spec: {
        selector: { matchLabels: { 'app.kubernetes.io/part-of': 'zonewright' } },
        podMetricsEndpoints: [{ port: 'operations', path: '/metrics' }],
      },
    });
    const running = workloads.filter(({ kind }) => kind !== 'Job');
    const without = running.filter(
      ({ spec }) =>
        !spec.template.spec.containers.some(({ ports }) =>
          ports?.some(({ name }) => name === 'operations'),
        ),
    );
    expect(without.map(({ metadata }) => metadata.name)).toEqual([]);
  });

  it('the Ingress leads to ports of services, each by a name in its certificate', () => {
    type Rule = {
      readonly host: string;
      readonly http: {
        readonly paths: readonly {
          readonly backend: {
            readonly service: { readonly name: string; readonly port: { readonly name: string } };
          };
        }[];
      };
    };
    const { rules, tls } = (
      manifests.find(({ kind }) => kind === 'Ingress') as Manifest & {
        readonly spec: {
          readonly rules: readonly Rule[];
          readonly tls: readonly { readonly hosts: readonly string[] }[];
        };
      }
    ).spec;
    expect(tls.flatMap(({ hosts }) => hosts)).toEqual(rules.map(({ host }) => host));
    type Service = Manifest & {
      readonly spec: { readonly ports: readonly { readonly name: string }[] };
    };
    const services = manifests.filter(({ kind }) => kind === 'Service') as Service[];
    for (const { backend } of rules.flatMap(({ http }) => http.paths)) {
      const service = services.find(({ metadata }) => metadata.name === backend.service.name);
      expect(service?.spec.ports.map(({ name }) => name)).toContain(backend.service.port.name);
    }
  });

  /** Returns the output of secrets.mjs for new secrets. */
  const makeSecrets = (database: string | undefined, redis: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-secrets-'));
    const file = join(folder, 'secrets.env');
    const run = (...args: string[]) =>
      spawnSync(process.execPath, args, { cwd: PROJECT, encoding: 'utf8' });
    run('scripts/generate-env.mjs', file);
    const server = database === undefined ? ['--cloudnative-pg'] : ['--database', database];
    const options = [...server, '--redis', redis];
    const { stdout, stderr } = run('deploy/kubernetes/secrets.mjs', file, ...options);
    rmSync(folder, { recursive: true });
    expect(stderr).toBe('');
    type Secret = Manifest & { readonly stringData: Readonly<Record<string, string>> };
    return (JSON.parse(stdout) as { items: Secret[] }).items;
  };

  it('secrets.mjs passes sslmode on, and accepts a Redis with TLS', () => {
    const items = makeSecrets(
      'db.example.net:5432/zonewright?sslmode=verify-full',
      'rediss://redis.example.net:6380',
    );
    const urls = items.flatMap(({ stringData }) => Object.entries(stringData));
    for (const [name, value] of urls) {
      if (name === 'REDIS_URL')
        expect(value).toMatch(/^rediss:\/\/:[^@]+@redis\.example\.net:6380$/);
      if (name === 'DATABASE_URL') {
        expect(value).toMatch(
          /^postgres:\/\/\w+:[^@]+@db\.example\.net:5432\/zonewright\?sslmode=verify-full$/,
        );
      }
    }
  });

  it.each(['redis+sentinel://one:26379,two/main', 'rediss+cluster://one:6379,two'])(
    'secrets.mjs accepts a Redis with failover: %s',
    (redis) => {
      const urls = makeSecrets('db.example.net/zonewright', redis).flatMap(
        ({ stringData }) => stringData['REDIS_URL'] ?? [],
      );
      expect(urls).toHaveLength(2);
      const [scheme, rest = ''] = redis.split('://');
      for (const url of urls) {
        expect(url).toMatch(new RegExp(`^${scheme!.replace('+', '[+]')}://:[^@]+@${rest}$`));
        expect(() => readRedisUrl(url)).not.toThrow();
      }
    },
  );

  it('secrets.mjs --cloudnative-pg uses the cluster of components/postgresql, and creates its owner', () => {
    const items = makeSecrets(undefined, 'redis.example.net:6379');
    expect(items.map(findSchemaError).filter(Boolean)).toEqual([]);
    const cluster = manifests.find(({ kind }) => kind === 'Cluster')!;
    const { name } = cluster.metadata;
    const urls = items.flatMap(({ stringData }) => stringData['DATABASE_URL'] ?? []);
    expect(urls.length).toBeGreaterThan(4);
    for (const url of urls) expect(new URL(url).hostname).toBe(`${name}-rw`);
    const owner = items.find(({ metadata }) => metadata.name === 'zonewright-postgresql');
    expect(cluster).toMatchObject({
      spec: {
        bootstrap: {
          initdb: { owner: owner?.stringData['username'], secret: { name: owner?.metadata.name } },
        },
      },
    });
  });

  it('secrets.mjs creates exactly the secrets with the keys that are used', () => {
    const items = makeSecrets('db.example.net:5432/zonewright', 'redis.example.net:6379');
    expect(items.map(findSchemaError).filter(Boolean)).toEqual([]);
    const made = items.flatMap(({ metadata, stringData }) =>
      Object.keys(stringData).map((key) => `${metadata.name} ${key}`),
    );
    const used = variables.flatMap(({ valueFrom }) => {
      const reference = valueFrom?.secretKeyRef;
      return reference === undefined ? [] : [`${reference.name} ${reference.key}`];
    });
    expect(made.toSorted()).toEqual([...new Set(used)].toSorted());
  });

  it('every setting is in docs/reference/configuration.md', () => {
    const documented = readFileSync(join(PROJECT, 'docs/reference/configuration.md'), 'utf8');
    const unknown = variables.filter(({ name }) => !documented.includes(`\`${name}\``));
    expect(unknown).toEqual([]);
  });

  it('neither a file nor a command contains a secret', () => {
    const values = variables.filter(({ value }) => value !== undefined);
    expect(values.map(({ name }) => name).toSorted()).toEqual([
      'CONSOLE_DNS_API_URL',
      'DNS_API_CHECK_NAMESERVERS',
      'IDENTITY_URL',
      'IDENTITY_URL',
      'IDENTITY_URL',
      'NAMESERVER_SNAPSHOT_DIR',
      'NAMESERVER_UDP_WORKERS',
      'NAMESERVER_UPDATE_URL',
      'SIGNER_URL',
    ]);
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const inCommands = containers.flatMap(({ command = [] }) =>
      command.flatMap((word) => [...word.matchAll(/\$\((\w+)\)/g)].map(([, name]) => name)),
    );
    const secret = variables.filter(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined);
    expect(inCommands.filter((name) => secret.some((other) => other.name === name))).toEqual([]);
  });

  it('the ports are those of the images', () => {
    for (const { image, ports } of containers.filter((container) => container.ports)) {
      const name = image.split('/').at(-1) ?? '';
      const dockerfile = readFileSync(join(PROJECT, `docker/${name}.Dockerfile`), 'utf8');
      const exposed = /^EXPOSE (.*)$/m.exec(dockerfile)?.[1]?.match(/\d+/g)?.map(Number);
      const numbers = ports?.map(({ containerPort }) => containerPort);
      expect([...new Set(numbers)].toSorted()).toEqual([...new Set(exposed)].toSorted());
    }
  });
});

describe('every pod has few rights', () => {
  it.each(pods)(
    '%s runs without root, without a token, with a read-only root',
    (_name, workload) => {
      const { spec } = workload.spec.template;
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const container of [...(spec.initContainers ?? []), ...spec.containers]) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources).toMatchObject({ requests: {}, limits: {} });
      }
      const accounts = manifests.filter(({ kind }) => kind === 'ServiceAccount');
      expect(accounts.map(({ metadata }) => metadata.name)).toContain(spec.serviceAccountName);
    },
  );

  it.each(pods.filter(([, { kind }]) => kind !== 'Job'))(
    '%s has probes and a disruption budget',
    (_name, workload) => {
      const { metadata, spec } = workload.spec.template;
      for (const container of spec.containers) {
        expect(container).toMatchObject({
          startupProbe: { httpGet: { path: '/healthz' } },
          livenessProbe: { httpGet: { path: '/healthz' } },
          readinessProbe: { httpGet: { path: '/readyz' } },
        });
      }
      const budgets = manifests.filter(({ kind }) => kind === 'PodDisruptionBudget');
      expect(budgets).toContainEqual(
        expect.objectContaining({
          spec: { maxUnavailable: 1, selector: { matchLabels: metadata.labels } },
        }),
      );
    },
  );

  it('the nameservers have the names of the glossary', () => {
    const set = workloads.find(({ kind }) => kind === 'StatefulSet');
    expect(set).toMatchObject({ metadata: { name: 'ns1' } });
    expect(set?.spec).toMatchObject({ replicas: 6, ordinals: { start: 1 } });
  });
});

describe('deploy/kubernetes: which pods may connect to one another', () => {
  type Policy = Manifest & {
    readonly spec: {
      readonly podSelector: { readonly matchLabels?: Readonly<Record<string, string>> };
      readonly egress?: readonly {
        readonly to?: readonly { readonly podSelector?: { readonly matchLabels?: object } }[];
        readonly ports?: readonly { readonly protocol: string; readonly port: number }[];
      }[];
    };
  };
  const COMPONENT = 'app.kubernetes.io/component';

  it('dns-api can reach the nameservers that it queries: GET /v1/domains/{id}/check', () => {
    const value = variables.find(({ name }) => name === 'DNS_API_CHECK_NAMESERVERS')?.value ?? '';
    const set = workloads.find(({ kind }) => kind === 'StatefulSet');
    const { serviceName } = set!.spec as unknown as { serviceName: string };
    const [container] = set!.spec.template.spec.containers;
    const [port] = container?.ports?.map(({ containerPort }) => containerPort) ?? [];
    expect(value.split(',')).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) => `ns1-${n}=ns1-${n}.${serviceName}:${String(port)}`),
    );
    const rules = (manifests as Policy[])
      .filter(({ kind, spec }) => {
        return kind === 'NetworkPolicy' && spec.podSelector.matchLabels?.[COMPONENT] === 'dns-api';
      })
      .flatMap(({ spec }) => spec.egress ?? []);
    expect(rules).toContainEqual({
      to: [{ podSelector: { matchLabels: { [COMPONENT]: 'nameserver' } } }],
      ports: [
        { protocol: 'UDP', port },
        { protocol: 'TCP', port },
      ],
    });
  });

  it('dns-api can reach primaries of secondary zones, and stores have a destination', () => {
    const egressOf = (policy: string) =>
      (manifests as Policy[]).find(
        ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === policy,
      )?.spec.egress ?? [];
    expect(egressOf('ask-primaries')).toEqual([
      {
        ports: [
          { protocol: 'UDP', port: 53 },
          { protocol: 'TCP', port: 53 },
        ],
      },
    ]);
    for (const policy of ['use-postgresql', 'use-redis']) {
      const rules = egressOf(policy);
      expect(rules).not.toEqual([]);
      for (const { to = [] } of rules) expect(to.length).toBeGreaterThan(0);
    }
  });

  it('only dns-api can reach the signer, and only for signatures', () => {
    const policy = manifests.find(
      ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'signer',
    );
    expect(policy).toMatchObject({
      spec: {
        podSelector: { matchLabels: { [COMPONENT]: 'signer' } },
        ingress: [
          {
            from: [{ podSelector: { matchLabels: { [COMPONENT]: 'dns-api' } } }],
            ports: [{ protocol: 'TCP', port: 9004 }],
          },
        ],
      },
    });
  });
});

withKubectl('kustomize', () => {
  const build = (folder: string) => {
    const { stdout, stderr, status } = spawnSync('kubectl', ['kustomize', folder], {
      cwd: PROJECT,
      encoding: 'utf8',
    });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    return parseManifests(stdout);
  };

  /** Builds a copy of the example with another component. */
  const buildWith = (folder: string, component: string) => {
    cpSync(join(PROJECT, 'deploy/kubernetes'), folder, { recursive: true });
    const overlay = join(folder, 'overlays/example/kustomization.yaml');
    const text = readFileSync(overlay, 'utf8');
    const name = '  - ../../components/signer\n';
    writeFileSync(overlay, text.replace(name, `${name}  - ../../components/${component}\n`));
    return build(join(folder, 'overlays/example'));
  };

  it('a new version has a Job with a new name, because a Job cannot be changed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-overlay-'));
    const nameWith = (tag: string) => {
      cpSync(join(PROJECT, 'deploy/kubernetes'), folder, { recursive: true });
      const overlay = join(folder, 'overlays/example/kustomization.yaml');
      const text = readFileSync(overlay, 'utf8');
      writeFileSync(overlay, text.replaceAll('newTag: 0.1.0', `newTag: ${tag}`));
      const job = build(join(folder, 'overlays/example')).find(({ kind }) => kind === 'Job');
      expect(job).toMatchObject({ spec: { ttlSecondsAfterFinished: 300 } });
      return job?.metadata.name;
    };
    try {
      expect([nameWith('0.1.0'), nameWith('0.2.0')]).toEqual(['migrate-0.1.0', 'migrate-0.2.0']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('builds the example, which complies with the schema', () => {
    const built = build('deploy/kubernetes/overlays/example');
    expect(built.map(findSchemaError).filter(Boolean)).toEqual([]);
    expect(built.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining([
        'Namespace',
        'Deployment',
        'StatefulSet',
        'Job',
        'NetworkPolicy',
        'Ingress',
      ]),
    );
  });

  it('builds with a PostgreSQL of CloudNativePG, whose authority every program that uses it trusts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-overlay-'));
    try {
      const built = buildWith(folder, 'postgresql');
      expect(built.map(findSchemaError).filter(Boolean)).toEqual([]);
      expect(built.filter(({ kind }) => kind === 'Cluster')).toHaveLength(1);
      const asking = (built as Workload[]).filter(
        ({ kind, metadata }) =>
          ['Deployment', 'StatefulSet', 'Job'].includes(kind) &&
          metadata.name !== 'console-service',
      );
      expect(asking).toHaveLength(5);
      for (const { spec } of asking) {
        const { initContainers = [], containers: own } = spec.template.spec;
        for (const container of [...initContainers, ...own])
          expect(container).toMatchObject({
            volumeMounts: expect.arrayContaining([
              expect.objectContaining({ mountPath: '/etc/zonewright/postgresql' }),
            ]) as unknown,
          });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('builds with the PodMonitor, whose label every pod then has', () => {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-overlay-'));
    try {
      const built = buildWith(folder, 'monitoring');
      expect(built.filter(({ kind }) => kind === 'PodMonitor')).toHaveLength(1);
      const running = built.filter(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind));
      expect(running.length).toBeGreaterThan(4);
      for (const { spec } of running as Workload[])
        expect(spec.template.metadata.labels).toMatchObject({
          'app.kubernetes.io/part-of': 'zonewright',
        });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
