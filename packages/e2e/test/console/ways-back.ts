import { OPERATIONS } from '@zonewright/client';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

type OperationId = keyof typeof OPERATIONS;

/** Writes of the pages, and how a user reverts them there. A test performs all of them. */
export const WAYS_BACK = {
  createDomain: 'Undo, which deletes it; Settings does later',
  importNewDomain: 'Undo, which deletes it; Settings does later',
  deleteDomain: 'Undo; "Recently deleted" does later',
  undeleteDomain: 'Undo, which deletes it again',
  updateDomain: 'Undo; the form has the old values to type',
  changeRecords: 'Undo; the history does later',
  importZoneFile: 'Undo; the history does later',
  revertChange: 'Redo; the history does later',
  restoreDomain: 'The history: the step is taken back as others are',
  enableDnssec: 'Undo; "Stop signing" does later',
  disableDnssec: 'Undo; "Keep signing" does until the signatures are gone',
  rollDnssecKey: 'Final: the next replacement makes another key',
  createAccessKey: 'Deleting it',
  updateAccessKey: 'Undo; the same button does later',
  deleteAccessKey: 'Final: nobody has the secret; switching off is the way that can be taken back',
  createUserV3: 'Undo, which deletes the user; taking the role does later',
  deleteUserV3: 'Only takes an invitation back; inviting does it again',
  grantRoleOnProjectV3: 'Undo; taking the role does later',
  revokeRoleOnProjectV3: 'Undo; giving the role does later',
  changePasswordV3: 'Changing it again',
} as const satisfies Partial<Record<OperationId, string>>;

/** Operations that change nothing which a user could take back. Their method is POST. */
const READS: ReadonlySet<string | undefined> = new Set([
  'checkNewRecords',
  'readImportFile',
  'refreshDomain',
]);

/** Methods of the client's resources that write. */
const METHODS: Readonly<Record<string, OperationId>> = {
  'domains.create': 'createDomain',
  'domains.importNew': 'importNewDomain',
  'domains.delete': 'deleteDomain',
  'domains.undelete': 'undeleteDomain',
  'domains.update': 'updateDomain',
  'domains.import': 'importZoneFile',
  'records.change': 'changeRecords',
  'keys.create': 'createAccessKey',
  'keys.delete': 'deleteAccessKey',
};

/** Finds the operations with which the pages write, from their sources. */
export function findWrites(folder: string): string[] {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll(/\s+/g, ''));
  return [...new Set(sources.flatMap(writesOf))].toSorted();
}

function writesOf(source: string): string[] {
  const called = [...source.matchAll(/\.call\('(\w+)'/g)].map(([, id]) => id as OperationId);
  const byResource = [
    ...source.matchAll(/(domains|keys|records)(?:\([^()]*\))?\.(\w+)\(/g),
  ].flatMap(([, resource = '', method = '']) => METHODS[`${resource}.${method}`] ?? []);
  // Not sent by the client, which would take a wrong password for an expired session.
  const isOfPassword = source.includes('/identity/v3/users/') && source.includes('/password');
  return [
    ...called.filter((id) => OPERATIONS[id].method !== 'GET' && !READS.has(id)),
    ...byResource,
    ...(isOfPassword ? ['changePasswordV3'] : []),
  ];
}

/** Collects the writing operations that a page calls. */
export function watchWrites(page: Page): ReadonlySet<string> {
  const seen = new Set<string>();
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (request.method() === 'GET' || searchParams.get('dry_run') === 'true') return;
    const path = /^\/api\/[^/]+\/(?:dns|identity)(\/.*)$/.exec(pathname)?.[1];
    if (path === undefined) return;
    const id = Object.entries(OPERATIONS)
      // Literal segments come before parameters.
      .toSorted(([, a], [, b]) => a.path.split('{').length - b.path.split('{').length)
      .find(
        ([, { method, path: template }]) =>
          method === request.method() &&
          new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
      )?.[0];
    if (!READS.has(id)) seen.add(id ?? `${request.method()} ${path}`);
  });
  return seen;
}
