import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Manifest } from './manifests.js';

const require = createRequire(import.meta.url);
const HERE = dirname(fileURLToPath(import.meta.url));

interface Model {
  validate(): void;
}
type ModelClass = new (data: Manifest) => Model;

/** Operators' own kinds are in packages of their own. */
const PACKAGES: Readonly<Record<string, string>> = {
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator',
  'postgresql.cnpg.io/v1': '@kubernetes-models/cloudnative-pg',
};

/** Where the class of an object is: `apps/v1`, `v1`, `networking.k8s.io/v1`. */
const moduleOf = ({ apiVersion }: Manifest) =>
  `${PACKAGES[apiVersion] ?? 'kubernetes-models'}/${apiVersion}`;

/** What the schema of the Kubernetes API (its OpenAPI document) says against an object; undefined: nothing. */
export function findSchemaError(manifest: Manifest): string | undefined {
  const models = require(moduleOf(manifest)) as Record<string, ModelClass | undefined>;
  const KindOfModel = models[manifest.kind];
  if (KindOfModel === undefined) return `there is no ${manifest.apiVersion} ${manifest.kind}`;
  try {
    new KindOfModel(manifest).validate();
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/**
 * Members that the Kubernetes API does not have, which its schema lets pass and a cluster refuses: found by the compiler, which
 * allows no unknown member in a literal of a declared type.
 */
export function findUnknownMembers(manifests: readonly Manifest[]): string[] {
  const source = manifests
    .map((manifest, index) => {
      const type = `import('${moduleOf(manifest)}').I${manifest.kind}`;
      return `export const object${index}: ${type} = ${JSON.stringify(manifest)};`;
    })
    .join('\n');
  const name = join(HERE, 'generated-manifests.ts');
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const files = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...files,
    fileExists: (path) => path === name || files.fileExists(path),
    getSourceFile: (path, ...rest) =>
      path === name
        ? ts.createSourceFile(path, source, ts.ScriptTarget.ESNext)
        : files.getSourceFile(path, ...rest),
  };
  const program = ts.createProgram([name], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
