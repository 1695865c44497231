/** Parts that a patch has written into a block that was equal to the one before it. */
export interface Written {
  /** Behind the nodes that there were. */
  readonly nodesStart: number;
  readonly nodesEnd: number;
  /** Indices of the words elsewhere, the header's left out. */
  readonly words: readonly number[];
}

/** A zone's block as a patch has made it. */
export interface PatchedBlock {
  readonly octets: Uint8Array;
  /** Up to the index there may be room for more. */
  readonly nodesEnd: number;
  /** Undefined: it is laid out in another way than the one before it. */
  readonly written: Written | undefined;
}

/** Memory in which a patch makes a zone's next block. */
export interface NextBlock {
  /** Returns memory, which may hold anything. For a signed zone it must be all zeros. */
  readonly take: (octets: number) => Uint8Array;
  /** Octets of room for further patches behind nodes that take so many; undefined: none. */
  readonly roomBehind?: ((octets: number) => number) | undefined;
  /** End of the nodes of the present block. Undefined if they end where its index begins. */
  readonly nodesEnd?: number | undefined;
  /** The block before the present one, which may be written, and what was written into the present one. */
  readonly before?: { readonly block: Uint8Array; readonly written: Written } | undefined;
}
