import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isMap, parse, parseAllDocuments } from 'yaml';
import { PROJECT } from '../support/running-platform.js';

const SET = join(PROJECT, 'deploy/kubernetes');

/** Object of the Kubernetes API in a file. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

export interface Kustomization {
  readonly path: string;
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly configMapGenerator?: readonly {
    readonly name: string;
    readonly literals: readonly string[];
  }[];
}

const files = readdirSync(SET, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => join(SET, name));
const isKustomization = (path: string) => path.endsWith('kustomization.yaml');

/** Files of deploy/kubernetes with objects, by their path in the project. */
export const MANIFEST_FILES = files
  .filter((path) => !isKustomization(path))
  .map((path) => relative(PROJECT, path));

export const KUSTOMIZATIONS: readonly Kustomization[] = files
  .filter(isKustomization)
  .map((path) => ({
    ...(parse(readFileSync(path, 'utf8')) as Kustomization),
    path: relative(PROJECT, path),
  }));

/** Parses the objects of one or more documents. Throws for invalid YAML, with the line. */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0] ?? new Error('no YAML');
      return document;
    })
    .filter(({ contents }) => isMap(contents))
    .map((document) => document.toJS() as Manifest);
}

export function readManifests(path: string): Manifest[] {
  return parseManifests(readFileSync(join(PROJECT, path), 'utf8'));
}

/** Returns missing files of a kustomization, and folders without a kustomization. */
export function findMissing({ path, resources = [], components = [] }: Kustomization): string[] {
  const folder = join(PROJECT, dirname(path));
  return [...resources, ...components].filter((name) => {
    const target = join(folder, name);
    return !existsSync(name.endsWith('.yaml') ? target : join(target, 'kustomization.yaml'));
  });
}
