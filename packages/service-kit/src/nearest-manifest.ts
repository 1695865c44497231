import { existsSync } from 'node:fs';

/** The package.json of the package of a module, given its `import.meta.url`: wherever in the package a bundler has put it. */
export function nearestManifest(module: string): URL {
  let manifest = new URL('package.json', module);
  while (!existsSync(manifest)) {
    const above = new URL('../package.json', manifest);
    if (above.href === manifest.href) throw new Error(`No package.json stands above ${module}.`);
    manifest = above;
  }
  return manifest;
}
