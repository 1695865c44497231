import { type LookupName, readLookupName } from '../wire/lookup-name.js';
import { copyOctets } from '../wire/octets.js';
import { MAX_NAME_OCTETS } from '../wire/protocol.js';
import type { ImageView } from './image-reader.js';
import {
  NODE_NAME_LENGTH_OFFSET,
  NODE_NAME_OFFSET,
  ZONE_APEX_LENGTH_OFFSET,
  ZONE_APEX_NAME_OFFSET,
} from './layout.js';

const composed = new Uint8Array(MAX_NAME_OCTETS);

/** The whole name of a zone's node. */
export function readNodeName(name: LookupName, image: ImageView, zone: number, node: number): void {
  const { octets } = image;
  const own = octets[node + NODE_NAME_LENGTH_OFFSET]!;
  const apex = octets[zone + ZONE_APEX_LENGTH_OFFSET]!;
  copyOctets(composed, 0, octets, node + NODE_NAME_OFFSET, own);
  copyOctets(composed, own, octets, zone + ZONE_APEX_NAME_OFFSET, apex);
  readLookupName(name, composed, 0, own + apex);
}

/** Returns the offset at which a node's labels below the apex begin. */
export function nodeLabels(node: number): number {
  return node + NODE_NAME_OFFSET;
}

/** Whether a node's name is the apex's with one label more. */
export function isOneLabel({ octets }: ImageView, node: number): boolean {
  return octets[node + NODE_NAME_OFFSET]! + 1 === octets[node + NODE_NAME_LENGTH_OFFSET];
}
