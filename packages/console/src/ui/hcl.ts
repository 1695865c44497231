type HclValue = string | number | readonly string[];

/**
 * Renders a Terraform resource. Undefined members are omitted.
 *
 * @param id id of an existing object, which is imported instead of created
 */
export function hclResource(
  type: string,
  name: string,
  values: Readonly<Record<string, HclValue | undefined>>,
  id?: string,
): string {
  const label = toLabel(name);
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const width = Math.max(...given.map(([name]) => name.length));
  const lines = given.map(([name, value = '']) => `  ${name.padEnd(width)} = ${write(value)}`);
  return [
    ...(id === undefined
      ? []
      : ['import {', `  to = ${type}.${label}`, `  id = ${quote(id)}`, '}']),
    `resource ${quote(type)} ${quote(label)} {`,
    ...lines,
    '}',
  ].join('\n');
}

/** Returns a valid identifier: a letter or `_`, then letters, digits, `_` and `-`. */
function toLabel(name: string): string {
  const label = name.replace(/\.$/, '').replaceAll(/[^\w-]/g, '_');
  return /^[a-z_]/i.test(label) ? label : `_${label}`;
}

function write(value: HclValue): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? quote(value) : `[${value.map(quote).join(', ')}]`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Returns a quoted template without interpolation (`${` and `%{` start a template in HCL native syntax). */
function quote(text: string): string {
  const inner = text
    .replaceAll(/["\\]/g, '\\$&')
    .replaceAll(/[$%](?=\{)/g, '$&$&')
    .replaceAll(
      // eslint-disable-next-line no-control-regex -- a quoted template cannot contain them
      /[\u0000-\u001F\u007F]/g,
      (character) =>
        ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  return `"${inner}"`;
}
