import { RR_TYPE } from '@zonewright/dns-records';
import { readInt32 } from '../wire/octets.js';
import { type BlockNodes, NO_POSITION } from './block-nodes.js';
import { recordsAt } from './block-records.js';
import { NEVER, RRSIG_EXPIRATION_OFFSET, SignatureCheck } from './check-signatures.js';
import { keyOf, findPosition, type OrderChange, patchOrder } from './order-writer.js';
import type { PatchPlan } from './plan-patch.js';
import type { Interruptible } from '../image/steps.js';
import { signedUntil } from '../image/zone-order.js';
import { findRrsetOfNode, type ZoneNode } from './zone-tree.js';

/**
 * Checks the patched draft of a signed zone and writes its order.
 * @throws Error like compileZone()
 */
export function* patchSignedZone(
  source: BlockNodes,
  draft: BlockNodes,
  { puts, removals }: PatchPlan,
  { apex, serial }: { readonly apex: ZoneNode; readonly serial: number },
): Interruptible<void> {
  const check = new SignatureCheck(apex, serial);
  const changes: (OrderChange & { readonly key: string })[] = [];
  for (const node of puts.values()) {
    const offset = draft.nodeAt(draft.find(node.name));
    check.check(node, draft.flagsOf(offset));
    const hasNsec = findRrsetOfNode(node, RR_TYPE.NSEC) !== undefined;
    changes.push(changeOf(source, node.name, hasNsec));
  }
  for (const name of removals) changes.push(changeOf(source, name, false));
  const ordered = changes
    .filter(({ gone, name }) => gone > 0 || name !== undefined)
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const replaced = [...puts.keys(), ...removals].map((name) => leastExpirationAt(source, name));
  const before = signedUntil(source, 0);
  const kept = Math.min(...replaced) > before ? before : yield* leastExpiration(draft);
  patchOrder(source, draft, ordered, Math.min(kept, check.expiration));
}

function changeOf(source: BlockNodes, name: string, isInOrder: boolean) {
  const { place, isThere } = findPosition(source, name);
  const key = keyOf(name);
  return { place, gone: Number(isThere), name: isInOrder ? name : undefined, key };
}

function leastExpirationAt(block: BlockNodes, name: string): number {
  const position = block.find(name);
  return position === NO_POSITION ? NEVER : leastExpirationOf(block, block.nodeAt(position));
}

function leastExpirationOf(block: BlockNodes, node: number): number {
  let least = NEVER;
  for (const { type, octets, rdataStart } of recordsAt(block, node)) {
    if (type !== RR_TYPE.RRSIG) continue;
    least = Math.min(least, readInt32(octets, rdataStart + RRSIG_EXPIRATION_OFFSET) >>> 0);
  }
  return least;
}

function* leastExpiration(block: BlockNodes): Interruptible<number> {
  let least = NEVER;
  yield* block.visitAll((node) => {
    least = Math.min(least, leastExpirationOf(block, node));
  });
  return least;
}
