import type { BlockNodes } from './block-nodes.js';
import type { Interruptible } from '../image/steps.js';
import { NO_POSITION } from './block-nodes.js';
import { parentName, type ZoneNode } from './zone-tree.js';

/** Changes to the nodes of a block that produce the desired names. */
export interface PatchPlan {
  /** Nodes to add or replace, by name. A node without RRsets is an empty non-terminal (RFC 4592 s2.2.2). */
  readonly puts: Map<string, ZoneNode>;
  /** Names that are in the block and will no longer exist. */
  readonly removals: Set<string>;
}

/**
 * Plans a patch.
 * @param changed all records that the changed names will have; the plan finds the names that appear and vanish with
 * them
 */
export function* planPatch(
  source: BlockNodes,
  changed: ReadonlyMap<string, ZoneNode>,
): Interruptible<PatchPlan> {
  const puts = new Map<string, ZoneNode>();
  const needed = new Set<string>();
  for (const node of changed.values()) {
    if (node.rrsets.length === 0) continue;
    puts.set(node.name, node);
    for (const ancestor of ancestorsOf(node.name)) needed.add(ancestor);
  }
  for (const name of needed) {
    if (puts.has(name)) continue;
    const emptied = changed.get(name);
    if (emptied !== undefined || !source.has(name)) puts.set(name, emptied ?? empty(source, name));
  }
  const removals = listEmpty(source, changed, needed);
  if (removals.size > 0) yield* keepNeeded(source, changed, removals, puts);
  return { puts, removals };
}

/** Lists names in the block that have no data, and have none below them as far as is known. */
function listEmpty(
  source: BlockNodes,
  changed: ReadonlyMap<string, ZoneNode>,
  needed: ReadonlySet<string>,
): Set<string> {
  const found = new Set<string>();
  for (const { name, rrsets } of changed.values()) {
    if (rrsets.length > 0) continue;
    if (!needed.has(name) && source.has(name)) found.add(name);
    for (const ancestor of ancestorsOf(name)) {
      if (needed.has(ancestor) || changed.has(ancestor)) continue;
      const position = source.find(ancestor);
      if (position === NO_POSITION) continue;
      if (source.rrsetsOf(source.nodeAt(position)) === 0) found.add(ancestor);
    }
  }
  return found;
}

/** Keeps names that have records below them. */
function* keepNeeded(
  source: BlockNodes,
  changed: ReadonlyMap<string, ZoneNode>,
  removals: Set<string>,
  puts: Map<string, ZoneNode>,
): Interruptible<void> {
  yield* source.visitBelow(removals, (node, ancestor) => {
    if (source.rrsetsOf(node) === 0 || changed.has(source.nameOf(node))) return;
    removals.delete(ancestor);
    const emptied = changed.get(ancestor);
    if (emptied !== undefined) puts.set(ancestor, emptied);
  });
}

/** Returns the ancestors from the parent up to the apex, which always exists and is excluded. */
function ancestorsOf(name: string): string[] {
  const ancestors: string[] = [];
  if (name === '') return ancestors;
  for (let above = parentName(name); above !== ''; above = parentName(above)) ancestors.push(above);
  return ancestors;
}

function empty(source: BlockNodes, name: string): ZoneNode {
  return { name, hash: source.hashOf(name), flags: 0, rrsets: [] };
}
