import { describe, expect, it } from '@jest/globals';
import { readSection } from '@zonewright/testkit';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PROJECT } from '../support/running-platform.js';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const FOLDER = 'docs/observability';
const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');
const runbook = readSection(read('docs/operations/monitoring.md'), 'Alerts');
const documented = new Map(
  [...read('docs/reference/metrics.md').matchAll(/<!-- metrics of [\s\S]*?<!-- end -->/g)]
    .flatMap(([section]) => [...section.matchAll(/`(\w+)`(?: \((\w+)\))?/g)])
    .map(([, name = '', type = '']) => [name, type]),
);
const { groups } = parse(read(`${FOLDER}/alerts.yml`)) as {
  groups: { name: string; rules: Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read(`${FOLDER}/dashboard.json`)) as { panels: Panel[] };
const queries = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr] as const),
);

/** Finds metrics in an expression that no service has. `up` belongs to Prometheus. */
function findUnknownMetrics(expression: string): string[] {
  const names = expression
    .replaceAll(/"[^"]*"|\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|without|on) ?\([^)]*\)/g, '')
    .match(/[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b(?! *\()/g);
  const known = (name: string) =>
    documented.has(name) ||
    documented.get(name.replace(/_(?:bucket|sum|count)$/, '')) === 'histogram';
  return (names ?? []).filter((name) => !known(name));
}

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool) process.stderr.write('SKIPPED (no promtool): rules run by Prometheus itself\n');

describe('docs/reference/metrics.md', () => {
  (process.platform === 'linux' ? it : it.skip)(
    'has every metric that a service shows, and no other',
    () => {
      const { status, stderr } = spawnSync(
        process.execPath,
        ['scripts/document-metrics.mjs', '--check'],
        { cwd: PROJECT, encoding: 'utf8', env: { PATH: process.env['PATH'] } },
      );
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    },
    60_000,
  );
});

it('all of our metrics have the same prefix', () => {
  const ours = [...documented.keys()].filter((name) => !/^(?:process|nodejs)_/.test(name));
  expect(ours.filter((name) => !name.startsWith('zonewright_'))).toEqual([]);
  expect(ours).toContain('zonewright_build_info');
  expect(ours).toContain('zonewright_dns_api_tls_certificate_not_after_seconds');
});

describe('docs/observability/alerts.yml', () => {
  it.each(rules)(
    '$alert: has a severity, existing metrics, and a line with a recommendation',
    (rule) => {
      expect(['page', 'ticket']).toContain(rule.labels.severity);
      expect(findUnknownMetrics(rule.expr)).toEqual([]);
      expect(rule.annotations.summary).not.toBe('');
      expect(rule.annotations.runbook).toBe(
        `docs/operations/monitoring.md#${rule.alert.toLowerCase()}`,
      );
      const [, text = ''] = runbook.split(`\n### ${rule.alert}\n`);
      expect(text.split('\n#')[0]?.trim()).toMatch(/\w+ .*\./);
      // The document and Alertmanager have the same text.
      expect(text.trim()).toMatch(new RegExp(`^\`${rule.labels.severity}\`\\. `));
    },
  );

  it('the runbook contains only existing alerts', () => {
    const names = [...runbook.matchAll(/^### (.+)$/gm)].map(([, name]) => name);
    expect(names.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  });

  it('the check detects a metric that does not exist', () => {
    expect(findUnknownMetrics('sum by (a_b) (rate(no_such_metric[5m])) > 1')).toEqual([
      'no_such_metric',
    ]);
  });
});

(hasPromtool ? describe : describe.skip)('promtool', () => {
  const expectPromtool = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, {
      cwd: join(PROJECT, FOLDER),
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
  };

  it('accepts the rules and the scrape configuration', () => {
    expectPromtool('check', 'rules', 'alerts.yml');
    expectPromtool('check', 'config', 'prometheus.yml');
  });

  it('the rules fire exactly when they must', () => {
    expectPromtool('test', 'rules', 'alerts.test.yml');
  });
});

describe('docs/observability/dashboard.json', () => {
  it.each(queries)('%s: %s uses existing metrics', (_title, expression) => {
    expect(findUnknownMetrics(expression)).toEqual([]);
  });

  it('every panel has a unique title and a query, and every service has panels', () => {
    for (const { type, targets } of panels) {
      if (type !== 'row') expect(targets?.length).toBeGreaterThan(0);
    }
    const all = queries.map(([, expression]) => expression).join('\n');
    for (const prefix of ['identity_', 'dns_api_', 'nameserver_'].map(
      (one) => `zonewright_${one}`,
    )) {
      expect(all).toContain(prefix);
    }
  });
});
