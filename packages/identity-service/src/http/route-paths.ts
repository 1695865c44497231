import { EXTENSION_SEGMENT, type Route } from './route.js';

/** The path of a route, and where it leads into the extension, the same under each alias (decisions 2, Paths). */
export function pathsOf({ path }: Pick<Route, 'path'>, aliases: readonly string[]): string[] {
  if (!path.includes(EXTENSION_SEGMENT)) return [path];
  return [EXTENSION_SEGMENT, ...aliases].map((alias) => path.replace(EXTENSION_SEGMENT, alias));
}
