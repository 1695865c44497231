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

/** Packages of the kinds that operators define. */
const PACKAGES: Readonly<Record<string, string>> = {
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator',
  'postgresql.cnpg.io/v1': '@kubernetes-models/cloudnative-pg',
};

/** Returns the module of an object's class: `apps/v1`, `v1`, `networking.k8s.io/v1`. */
const moduleOf = ({ apiVersion }: Manifest) =>
  `${PACKAGES[apiVersion] ?? 'kubernetes-models'}/${apiVersion}`;

/** Returns the error of the Kubernetes API schema (its OpenAPI document) for an object. Undefined if there is none. */
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
 * Finds members that the Kubernetes API does not have. Its schema accepts them but a cluster rejects them. The compiler
 * finds them, since it rejects unknown members in a literal with a declared type.
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
