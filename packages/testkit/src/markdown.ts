/** Reading documents, for tests that compare them with the code. */

/** The cells of each table's rows, without its heading. */
export function readTables(markdown: string): string[][][] {
  return (markdown.match(/(?:^\|.*\n)+/gm) ?? []).map((table) =>
    table
      .trimEnd()
      .split('\n')
      .slice(2)
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  );
}

/** The fenced blocks of a language. */
export function readCodeBlocks(markdown: string, language: string): string[] {
  return [...markdown.matchAll(/```(\w+)\n([\s\S]*?)\n *```/g)]
    .filter(([, found]) => found === language)
    .map(([, , text = '']) => text);
}
