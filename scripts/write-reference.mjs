// `npm run reference`: writes the parts of docs/reference and of packages/client that follow from the descriptions of operations, by
// which the services also check requests and answer /openapi.json, and the tables of commands and threats that follow from
// their help and from threats.json. With --check it only says whether they are as they would be written.
import { readFileSync, writeFileSync } from 'node:fs';
import { clientSources } from '../packages/client/generate.mjs';
import { documentCommands, idleHost } from './document-commands.mjs';
import { documentThreats } from './document-threats.mjs';
import { formatted } from './format.mjs';
import { build, ensureInstalled, ROOT } from './install.mjs';

ensureInstalled();
build();
const dist = (path) => import(new URL(`../packages/${path}`, import.meta.url));
const { describeApi: describeDns } = await dist('dns-api/dist/openapi/describe-api.js');
const { DESCRIBED_OPERATIONS } = await dist('dns-api/dist/operations.js');
const { describeApi: describeIdentity } = await dist('identity-service/dist/http/openapi.js');
const { ROUTES } = await dist('identity-service/dist/routes.js');
const { buildProgram: buildUserProgram } = await dist('cli/dist/command-line.js');
const { buildProgram: buildOperatorProgram } = await dist('admin-cli/dist/command-line.js');

const BASE_URL = 'http://localhost';
// What is described by functions and undefined members is what the services send.
const [dns, identity] = [
  describeDns(DESCRIBED_OPERATIONS, BASE_URL),
  describeIdentity(ROUTES, { baseUrl: BASE_URL, extensionAliases: [] }),
].map((document) => JSON.parse(JSON.stringify(document)));
const read = (path) => readFileSync(`${ROOT}/${path}`, 'utf8');
const files = {
  'docs/reference/dns-operations.md': pageOf(dns),
  'docs/reference/identity-operations.md': pageOf(identity),
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

function pageOf({ info, paths, components }) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method, path, operation]),
  );
  return [
    `# ${info.title}: operations and objects`,
    'Written by `npm run reference` from the descriptions that the service checks requests by. `GET /openapi.json` has the same with examples.',
    '## Operations',
    table(
      ['Operation', 'Request', 'Query', 'Headers', 'Body', 'Answer', 'Errors'],
      operations.map(rowOf),
    ),
    '## Objects',
    ...Object.entries(components.schemas).map(([name, schema]) => objectOf(name, schema)),
  ].join('\n\n');
}

function rowOf([method, path, { operationId, parameters = [], requestBody, responses }]) {
  const named = (place) =>
    parameters
      .filter((each) => each.in === place)
      .map(
        ({ name, required, schema }) =>
          `\`${name}\`${required ? '' : '?'}${place === 'query' ? ` ${typeOf(schema)}` : ''}`,
      )
      .join(', ');
  const [[success, answer] = []] = Object.entries(responses).filter(([status]) => status < 400);
  const errors = Object.keys(responses).filter((status) => status >= 400);
  return [
    `\`${operationId}\``,
    `\`${method.toUpperCase()} ${path}\``,
    named('query'),
    named('header'),
    contentOf(requestBody),
    `${success ?? ''} ${contentOf(answer)}`,
    errors.join(' '),
  ];
}

function contentOf(described) {
  const content = Object.values(described?.content ?? {});
  return [...new Set(content.map(({ schema }) => (schema ? typeOf(schema) : '')))].join(', ');
}

function objectOf(name, schema) {
  const { properties, required = [], description } = schema;
  const rows = Object.entries(properties ?? {}).map(([member, value]) => [
    `\`${member}\`${required.includes(member) ? '' : '?'}`,
    typeOf(value),
    value.description ?? '',
  ]);
  return [
    `### ${name}`,
    ...(description ? [description] : []),
    rows.length > 0 ? table(['Member', 'Type', ''], rows) : typeOf(schema),
  ].join('\n\n');
}

/** A type in few words: what it is, and what bounds it. */
function typeOf(schema) {
  if (schema === undefined || schema === true) return 'anything';
  if (schema.$ref) return linkTo(schema.$ref.split('/').at(-1));
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(' or ');
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return choices.map(typeOf).join(' or ');
  if (schema.allOf) return schema.allOf.map(typeOf).join(' and ');
  const types = [schema.type ?? 'anything'].flat();
  const words = types.map((type) => {
    if (type === 'array') return `list of ${typeOf(schema.items)}`;
    if (type === 'object' && schema.properties) {
      return `{ ${Object.entries(schema.properties)
        .map(([member, value]) => `\`${member}\`: ${typeOf(value)}`)
        .join(', ')} }`;
    }
    return schema.format && type !== 'null' ? `${type} (${schema.format})` : type;
  });
  return words.join(' or ') + boundsOf(schema);
}

function boundsOf({ minimum, maximum, minLength, maxLength, maxItems, default: usual }) {
  const bounds = [
    minimum !== undefined && `>= ${minimum}`,
    maximum !== undefined && `<= ${maximum}`,
    minLength > 1 && `${minLength} characters or more`,
    maxLength !== undefined && `${maxLength} characters at most`,
    maxItems !== undefined && `${maxItems} at most`,
    usual !== undefined && `${JSON.stringify(usual)} unless given`,
  ].filter(Boolean);
  return bounds.length > 0 ? `, ${bounds.join(', ')}` : '';
}

function linkTo(name) {
  return `[${name}](#${name.toLowerCase()})`;
}

function table(titles, rows) {
  const line = (cells) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ').trim()).join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}
