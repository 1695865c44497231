// Finds regular expressions that may backtrack without end: a group that repeats without a limit inside a group that does the same, as in
// `(a+)+`. One such expression read a file of a stranger, and its process answered nobody any more. `node scripts/expressions.mjs` checks
// the sources; ALLOWED names those whose parts cannot match the same text in two ways.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..');

/** Expressions in which each repetition begins with a character that the one before cannot contain. */
const ALLOWED = new Set([
  // What a quote begins, no other part matches. It has no end that could fail.
  String.raw`/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g`,
  // Each part begins with a dot.
  "/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/",
]);

/** Whether an unlimited repetition contains another. */
function hasNestedRepetition(pattern) {
  const groups = [false];
  let isClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const letter = pattern[at];
    if (letter === '\\') at += 1;
    else if (isClass) isClass = letter !== ']';
    else if (letter === '[') isClass = true;
    else if (letter === '(') groups.push(false);
    else if (letter === ')') {
      const repeats = groups.pop();
      const isUnlimited = isRepetition(pattern, at + 1);
      if (repeats && isUnlimited) return true;
      groups[groups.length - 1] ||= repeats || isUnlimited;
    } else if (isRepetition(pattern, at)) groups[groups.length - 1] = true;
  }
  return false;
}

function isRepetition(pattern, at) {
  return /^(?:[*+]|\{\d*,\})/.test(pattern.slice(at, at + 12));
}

function list(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : list(path);
    return /(?<!\.test)\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

for (const [pattern, isNested] of [
  ['(a+)+', true],
  ['(?:[)]a*b){2,}', true],
  ['(?:a(b*))+', true],
  ['(?:a+b)?', false],
  ['(?:\\(a)+', false],
]) {
  if (hasNestedRepetition(pattern) !== isNested) throw new Error(`misread: ${pattern}`);
}

const found = [];
for (const name of readdirSync(join(ROOT, 'packages'))) {
  for (const path of list(join(ROOT, 'packages', name, 'src'))) {
    const source = ts.createSourceFile(
      path,
      readFileSync(path, 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    const visit = (node) => {
      if (ts.isRegularExpressionLiteral(node) && hasNestedRepetition(node.text)) {
        found.push({ path: relative(ROOT, path), text: node.text });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
}
const unknown = found.filter(({ text }) => !ALLOWED.has(text));
const idle = [...ALLOWED].filter((text) => !found.some((each) => each.text === text));
for (const { path, text } of unknown)
  console.error(`${path}: ${text} repeats without a limit inside a repetition`);
for (const text of idle) console.error(`scripts/expressions.mjs: ${text} is not in the sources`);
console.log(
  `expressions: ${found.length} nested repetitions, ${unknown.length + idle.length} problems`,
);
process.exitCode = unknown.length + idle.length > 0 ? 1 : 0;
