// `npm run reference` generates parts of docs/reference and of packages/client from the descriptions of operations, with which the services also check requests and answer /openapi.json. It also generates the tables of commands and threats from the commands' help and from threats.json. With --check it only reports whether the files are up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { clientSources } from '../packages/client/generate.mjs';
import { describeApis } from './describe-apis.mjs';
import { documentCommands, idleHost } from './document-commands.mjs';
import { documentThreats } from './document-threats.mjs';
import { formatted } from './format.mjs';
import { build, ensureInstalled, ROOT } from './install.mjs';

ensureInstalled();
build();
const dist = (path) => import(new URL(`../packages/${path}`, import.meta.url));
const { buildProgram: buildUserProgram } = await dist('cli/dist/command-line.js');
const { buildProgram: buildOperatorProgram } = await dist('admin-cli/dist/command-line.js');

const { dns, identity } = await describeApis();
const read = (path) => readFileSync(`${ROOT}/${path}`, 'utf8');
const files = {
  'docs/design/threat-model.md': documentThreats(
    read('docs/design/threat-model.md'),
    JSON.parse(read('docs/design/threats.json')),
  ),
  'docs/reference/cli.md': documentCommands(read('docs/reference/cli.md'), [
    buildUserProgram(idleHost()),
    buildOperatorProgram(idleHost()),
  ]),
};
for (const [name, source] of Object.entries(await clientSources({ dns, identity }))) {
  files[`packages/client/src/generated/${name}`] = source;
}

const isChecking = process.argv.includes('--check');
for (const [name, content] of Object.entries(files)) {
  const path = `${ROOT}/${name}`;
  const text = path.endsWith('.md') ? content : await formatted(path, content);
  if (!isChecking) writeFileSync(path, text);
  else if (read(name) !== text) {
    console.error(`${name} is not what the operations say; npm run reference`);
    process.exitCode = 1;
  }
}
