// `node scripts/write-api-pages.mjs FOLDER` writes dns-api.html and identity-api.html, a page for each API with all operations and objects, generated from the descriptions with which the services check requests. Releases contain them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeApis } from './describe-apis.mjs';
import { build, ensureInstalled } from './install.mjs';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node scripts/write-api-pages.mjs FOLDER');
  process.exit(2);
}
ensureInstalled();
build();
mkdirSync(folder, { recursive: true });
for (const [name, description] of Object.entries(await describeApis())) {
  const file = join(folder, `${name}-api.html`);
  writeFileSync(file, pageOf(description));
  console.log(file);
}

function pageOf({ info, paths, components }) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method, path, operation]),
  );
  const title = escape(`${info.title}: operations and objects`);
  return [
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>`,
    '<style>body{font:15px/1.5 system-ui,sans-serif;margin:2em;color-scheme:light dark}table{border-collapse:collapse}',
    'td,th{border:1px solid #8886;padding:.3em .6em;text-align:left;vertical-align:top}code{font-size:.92em}</style>',
    `<h1>${title}</h1><p>The service sends the same as OpenAPI 3.1 at <code>GET /openapi.json</code>.</p>`,
    '<h2>Operations</h2>',
    table(
      ['Operation', 'Request', 'Query', 'Headers', 'Body', 'Response', 'Errors'],
      operations.map(rowOf),
    ),
    '<h2>Objects</h2>',
    ...Object.entries(components.schemas).map(([name, schema]) => objectOf(name, schema)),
    '</html>\n',
  ].join('\n');
}

function rowOf([method, path, { operationId, parameters = [], requestBody, responses }]) {
  const named = (place) =>
    parameters
      .filter((each) => each.in === place)
      .map(({ name, required, schema }) => {
        const type = place === 'query' ? ` ${typeOf(schema)}` : '';
        return `${code(name)}${required ? '' : '?'}${type}`;
      })
      .join(', ');
  const [[success, answer] = []] = Object.entries(responses).filter(([status]) => status < 400);
  const errors = Object.keys(responses).filter((status) => status >= 400);
  return [
    code(operationId),
    code(`${method.toUpperCase()} ${path}`),
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
    `${code(member)}${required.includes(member) ? '' : '?'}`,
    typeOf(value),
    escape(value.description ?? ''),
  ]);
  return [
    `<h3 id="${escape(name.toLowerCase())}">${escape(name)}</h3>`,
    ...(description ? [`<p>${escape(description)}</p>`] : []),
    rows.length > 0 ? table(['Member', 'Type', ''], rows) : `<p>${typeOf(schema)}</p>`,
  ].join('\n');
}

/** Describes a type in a few words: its kind and its limits. */
function typeOf(schema) {
  if (schema === undefined || schema === true) return 'anything';
  if (schema.$ref) return linkTo(schema.$ref.split('/').at(-1));
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((value) => code(String(value))).join(' or ');
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return choices.map(typeOf).join(' or ');
  if (schema.allOf) return schema.allOf.map(typeOf).join(' and ');
  const types = [schema.type ?? 'anything'].flat();
  const words = types.map((type) => {
    if (type === 'array') return `list of ${typeOf(schema.items)}`;
    if (type === 'object' && schema.properties) {
      return `{ ${Object.entries(schema.properties)
        .map(([member, value]) => `${code(member)}: ${typeOf(value)}`)
        .join(', ')} }`;
    }
    return schema.format && type !== 'null' ? `${type} (${schema.format})` : type;
  });
  return words.join(' or ') + boundsOf(schema);
}

function boundsOf({ minimum, maximum, minLength, maxLength, maxItems, default: usual }) {
  const bounds = [
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    minLength > 1 && `at least ${minLength} characters`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    maxItems !== undefined && `at most ${maxItems}`,
    usual !== undefined && `default ${escape(JSON.stringify(usual))}`,
  ].filter(Boolean);
  return bounds.length > 0 ? `, ${bounds.join(', ')}` : '';
}

function linkTo(name) {
  return `<a href="#${escape(name.toLowerCase())}">${escape(name)}</a>`;
}

function code(text) {
  return `<code>${escape(text)}</code>`;
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function table(titles, rows) {
  const line = (cells, tag) => `<tr>${cells.map((cell) => `<${tag}>${cell}`).join('')}`;
  return ['<table>', line(titles, 'th'), ...rows.map((row) => line(row, 'td')), '</table>'].join(
    '\n',
  );
}
