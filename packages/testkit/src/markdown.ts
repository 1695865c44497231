/** Reads documents, for tests that compare them with the code. */

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

/** An operation in a list of docs/reference/compatibility.md. */
interface ListedOperation {
  readonly method: string;
  /** The path, with `{}` for each parameter. */
  readonly path: string;
  /** Status of the answer; undefined if the operation is offered. */
  readonly refusal: number | undefined;
  /** Link to the test. */
  readonly test: string;
}

/** Path, methods, status of a refusal or a difference, and the link to the test. */
const OPERATION = /^`(.+?)`: ([A-Z, ]+)(?:: (\d{3})|; .+)? \(\[test\]\((\S+)\)\)$/;

/** Reads the operations whose paths begin with `root`. @throws Error if an item has another form */
export function readOperations(markdown: string, root: string): ListedOperation[] {
  const items = readItems(markdown).filter((item) => item.startsWith(`\`${root}`));
  return items.flatMap((item) => {
    const [, path = '', methods = '', refusal, test = ''] = OPERATION.exec(item) ?? [];
    if (path === '') throw new Error(`"${item}" is not an operation.`);
    return methods.split(', ').map((method) => ({
      method,
      path: withoutNames(path),
      refusal: refusal === undefined ? undefined : Number(refusal),
      test,
    }));
  });
}

/** Returns the path with `{}` for each parameter. */
export function withoutNames(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}
