/** Reads documents, for tests that compare them with the code. */

/** Returns the cells of each table's rows, without its heading. */
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

/** Returns the text below a second-level heading, up to the next one. */
export function readSection(markdown: string, heading: string): string {
  const [, section] = markdown.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`There is no section "${heading}".`);
  return section.split('\n## ')[0] ?? '';
}

/** Returns the fenced blocks of a language. */
export function readCodeBlocks(markdown: string, language: string): string[] {
  return [...markdown.matchAll(/```(\w+)\n([\s\S]*?)\n *```/g)]
    .filter(([, found]) => found === language)
    .map(([, , text = '']) => text);
}
