import { InputError } from '../command/input-error.js';
import { printable } from './printable.js';

const ESCAPES: Readonly<Record<string, string>> = { '\\t': '\t', '\\n': '\n', '\\\\': '\\' };

/**
 * `{{name}} {{parent.checked_at}}`, with what a document has in these members; nothing for null, JSON for lists and objects. \t, \n and
 * \\ are what they are elsewhere.
 *
 * @throws InputError where the document has no such member, since a name that is written wrong would be an empty place in a script
 */
export function fillTemplate(template: string, document: unknown): string {
  return template.replaceAll(/\{\{\s*([^{}]*?)\s*\}\}|\\[tn\\]/g, (whole, path?: string) =>
    path === undefined ? (ESCAPES[whole] ?? whole) : textOf(find(document, path)),
  );
}

function find(document: unknown, path: string): unknown {
  let value = document;
  for (const name of path.split('.')) {
    if (value === null || value === undefined) return undefined;
    if (typeof value !== 'object' || !Object.hasOwn(value, name)) {
      const names = typeof value === 'object' ? Object.keys(value).join(', ') : '';
      throw new InputError(
        `there is no member "${name}" for {{${path}}}. Members: ${names || 'none'}`,
      );
    }
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}
