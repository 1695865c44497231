import { Refusal } from '../messages/refusal.js';
import type { Operation } from './operation.js';

interface FoundOperation<O> {
  readonly operation: O;
  readonly params: Readonly<Record<string, string>>;
}

/** All operations of one path. */
interface Route<O> {
  readonly segments: readonly string[];
  readonly byMethod: Map<string, O>;
}

const NO_PARAMS = {};

/**
 * Finds the operation of a request. Paths are case-sensitive (RFC 3986 s6.2.2.1), a path without parameters precedes
 * one with, and handlers of GET answer HEAD (RFC 9110 s9.3.2).
 */
export class OperationFinder<O extends Operation> {
  readonly #exact = new Map<string, Route<O>>();
  /** Paths with parameters, by their number of segments. */
  readonly #patterns = new Map<number, Route<O>[]>();

  constructor(operations: readonly O[]) {
    for (const operation of operations) {
      this.#routeOf(operation.path).byMethod.set(operation.method, operation);
    }
  }

  /** @throws Refusal 404, 405, or 400 for an invalid percent-encoding. */
  find(method: string, path: string): FoundOperation<O> {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return { operation: pick(exact, method), params: NO_PARAMS };
    const segments = path.split('/');
    const route = this.#patterns.get(segments.length)?.find((each) => matches(each, segments));
    if (route === undefined) throw new Refusal('no-such-resource');
    const params = readParams(route, segments);
    return { operation: pick(route, method), params };
  }

  #routeOf(path: string): Route<O> {
    const segments = path.split('/');
    const isExact = !path.includes('{');
    const patterns = this.#patterns.get(segments.length) ?? [];
    const known = isExact
      ? this.#exact.get(path)
      : patterns.find((route) => route.segments.join('/') === path);
    if (known !== undefined) return known;
    const route = { segments, byMethod: new Map<string, O>() };
    if (isExact) this.#exact.set(path, route);
    else this.#patterns.set(segments.length, [...patterns, route]);
    return route;
  }
}

function pick<O>({ byMethod }: Route<O>, method: string): O {
  const found = byMethod.get(method) ?? (method === 'HEAD' ? byMethod.get('GET') : undefined);
  if (found !== undefined) return found;
  const offered = new Set(byMethod.keys());
  if (offered.has('GET')) offered.add('HEAD');
  throw new Refusal('method-not-allowed', { offered: [...offered], given: method });
}

function matches({ segments }: Route<unknown>, sent: readonly string[]): boolean {
  return segments.every((segment, at) =>
    segment.startsWith('{') ? sent[at] !== '' : segment === sent[at],
  );
}

function readParams({ segments }: Route<unknown>, sent: readonly string[]) {
  const params: Record<string, string> = {};
  segments.forEach((segment, at) => {
    if (segment.startsWith('{')) params[segment.slice(1, -1)] = decode(sent[at] ?? '');
  });
  return params;
}

function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal('path-not-encoded');
  }
}
