import type { View } from './elected-connector.js';

/**
 * Reads the answer to CLUSTER NODES, a line for each node: `id ip:port@busport[,name] flags primary ping pong epoch link slots...`.
 *
 * @param asked where the answer comes from: a node that does not know its own address says none
 */
export function readClusterNodes(answer: string, slot: number, asked: string): View {
  const lines = answer.split('\n').filter((line) => line !== '');
  const nodes = lines.flatMap((line) => readNode(line, asked) ?? []);
  const elected = nodes.find(({ isPrimary, ranges }) => isPrimary && hasSlot(ranges, slot));
  return { elected, nodes };
}

const LINE = /^\S+ (.*):(\d+)@\S* (\S+) \S+ \S+ \S+ (\d+) \S+ ?(.*)$/;

function readNode(line: string, asked: string) {
  const found = LINE.exec(line);
  if (found === null) return undefined;
  const [, ip, port, flags, epoch, ranges] = found as unknown as string[];
  const all = flags?.split(',') ?? [];
  if (all.includes('noaddr')) return undefined;
  const isPrimary = all.includes('master') && !all.includes('fail');
  const host = ip === '' ? asked : (ip ?? asked);
  return {
    host,
    port: Number(port),
    epoch: Number(epoch),
    isPrimary,
    ranges: ranges?.split(' ') ?? [],
  };
}

/** `5`, `0-5460`; `[5->-id]` is a slot on its way, which stands among the others as well. */
function hasSlot(ranges: readonly string[], slot: number): boolean {
  return ranges.some((range) => {
    const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
    return from !== undefined && Number(from) <= slot && slot <= Number(to);
  });
}
