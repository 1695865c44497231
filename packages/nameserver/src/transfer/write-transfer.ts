import { BlockNodes } from '../compile/block-nodes.js';
import { apexOf, type PlacedRecord, soaOf } from '../compile/block-records.js';
import { ZoneWalk } from '../compile/zone-walk.js';
import type { Difference } from '../compile/difference.js';
import { TransferMessage, type TransferQuestion } from './message-writer.js';

/** Yields the messages of a full transfer (RFC 5936 s2.2): the SOA, all other records, the SOA again. */
export function writeWholeZone(question: TransferQuestion, block: Uint8Array): Messages {
  const nodes = new BlockNodes(block);
  return fill(question, nodes, wholeZone(nodes));
}

/**
 * Yields the messages of an incremental transfer (RFC 1995 s4). Without differences it is only the SOA, since the
 * client is up to date.
 */
export function writeDifferences(
  question: TransferQuestion,
  block: Uint8Array,
  steps: readonly Difference[],
): Messages {
  const nodes = new BlockNodes(block);
  return fill(question, nodes, differences(nodes, steps));
}

type Messages = Generator<Uint8Array, void>;

function* fill(question: TransferQuestion, nodes: BlockNodes, parts: Iterable<Part>): Messages {
  const apex = apexOf(nodes);
  let message = new TransferMessage(question, apex, true);
  for (const part of parts) {
    for (let record = part.next(); record !== undefined; record = part.next()) {
      if (message.add(record)) continue;
      yield message.finish();
      message = new TransferMessage(question, apex, false);
      message.add(record);
    }
  }
  yield message.finish();
}

/** Iterates over records. Each must be read before the next. */
type Part = Pick<ZoneWalk, 'next'>;

function* wholeZone(nodes: BlockNodes): Iterable<Part> {
  yield partOf([soaOf(nodes)]);
  yield new ZoneWalk(nodes);
  yield partOf([soaOf(nodes)]);
}

function* differences(nodes: BlockNodes, steps: readonly Difference[]): Iterable<Part> {
  yield partOf([soaOf(nodes)]);
  if (steps.length === 0) return;
  for (const { removed, added } of steps) {
    yield partOf(removed);
    yield partOf(added);
  }
  yield partOf([soaOf(nodes)]);
}

function partOf(records: readonly PlacedRecord[]): Part {
  let at = 0;
  return { next: () => records[at++] };
}
