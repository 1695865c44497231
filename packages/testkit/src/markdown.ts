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

/** Returns the text of each list item that is one line. */
export function readItems(markdown: string): string[] {
  return [...markdown.matchAll(/^- (.+)$/gm)].map(([, text = '']) => text);
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

/** An operation in a table of docs/reference/compatibility.md. */
interface ListedOperation {
  readonly method: string;
  /** The path, with `{}` for each parameter. */
  readonly path: string;
  /** Status of the answer; undefined if the operation is offered. */
  readonly refusal: number | undefined;
  /** Link to the test. */
  readonly test: string;
}

/** Reads the operations of a table whose paths begin with `root`. */
export function readOperations(markdown: string, root: string): ListedOperation[] {
  const rows = readTables(markdown)
    .flat()
    .filter(([path = '']) => path.startsWith(`\`${root}`));
  return rows.flatMap(([path = '', methods = '', here = '', test = '']) => {
    const [, refusal] = /^no: (\d{3})$/.exec(here) ?? [];
    return methods.split(', ').map((method) => ({
      method,
      path: withoutNames(path.replaceAll('`', '')),
      refusal: refusal === undefined ? undefined : Number(refusal),
      test: /\((.*)\)/.exec(test)?.[1] ?? '',
    }));
  });
}

/** Returns the path with `{}` for each parameter. */
export function withoutNames(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}
