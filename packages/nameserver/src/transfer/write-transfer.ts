import { BlockNodes } from '../image/block-nodes.js';
import { apexOf, listRecords, type PlacedRecord, soaOf } from '../image/block-records.js';
import type { Difference } from './difference.js';
import { TransferMessage, type TransferQuestion } from './message-writer.js';

/** The messages of a transfer of the whole zone (RFC 5936 s2.2): its SOA, all else once, its SOA again. */
export function writeWholeZone(question: TransferQuestion, block: Uint8Array): Messages {
  const nodes = new BlockNodes(block);
  return fill(question, nodes, wholeZone(nodes));
}

/** The messages of an incremental transfer (RFC 1995 s4); without steps the SOA alone: the client is up to date. */
export function writeDifferences(
  question: TransferQuestion,
  block: Uint8Array,
  steps: readonly Difference[],
): Messages {
  const nodes = new BlockNodes(block);
  return fill(question, nodes, differences(nodes, steps));
}

type Messages = Generator<Uint8Array, void>;
type Records = Iterable<PlacedRecord>;

function* wholeZone(nodes: BlockNodes): Records {
  yield soaOf(nodes);
  yield* listRecords(nodes);
  yield soaOf(nodes);
}

function* differences(nodes: BlockNodes, steps: readonly Difference[]): Records {
  yield soaOf(nodes);
  if (steps.length === 0) return;
  for (const { removed, added } of steps) {
    yield* removed;
    yield* added;
  }
  yield soaOf(nodes);
}

function* fill(question: TransferQuestion, nodes: BlockNodes, records: Records): Messages {
  const apex = apexOf(nodes);
  let message = new TransferMessage(question, apex, true);
  for (const record of records) {
    if (message.add(record)) continue;
    yield message.finish();
    message = new TransferMessage(question, apex, false);
    message.add(record);
  }
  yield message.finish();
}
