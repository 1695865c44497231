// `node scripts/test-upgrade.mjs [REF]` builds an earlier version of this project and runs its services on the current schema, as during a rolling upgrade. REF is a tag or a commit; the default is the last commit before the newest change to the migrations.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './install.mjs';

const ref = process.argv[2] ?? `${commitOfNewestMigration()}^`;
const folder = join(mkdtempSync(join(tmpdir(), 'zonewright-upgrade-')), 'earlier');
let status = run('git', ['worktree', 'add', '--detach', folder, ref]);
try {
  status ||= run(process.execPath, [join(folder, 'scripts', 'build.mjs')]);
  status ||= run(
    process.execPath,
    ['scripts/test.mjs', '--selectProjects', 'e2e', '--testPathPatterns', 'rolling-upgrade'],
    { ZONEWRIGHT_EARLIER_RELEASE: folder },
  );
} finally {
  run('git', ['worktree', 'remove', '--force', folder]);
  rmSync(join(folder, '..'), { recursive: true, force: true });
}
process.exit(status);

function commitOfNewestMigration() {
  const args = ['log', '-1', '--format=%H', '--', 'packages/database/src/migrations'];
  return spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
}

function run(command, args, env = {}) {
  const options = { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } };
  return spawnSync(command, args, options).status ?? 1;
}
