#!/usr/bin/env node
// Lists comments, strings and documents whose English is hard to read, with counts per rule. Usage: node
// scripts/plain-words.mjs [DIR] [--list] [--rule NAME] [--in PATH] [--tests] [--sample N] [--check | --lower]
// --list prints every hit, --sample N an even sample, --tests reads test files too, and --in counts only below one
// path.
// --check fails if a rule has more hits than `plain-words.json` allows; --lower writes today's counts there if they are
// lower. The limits only fall: new text follows the rules of CONTRIBUTING.md, and old text is rewritten until the
// counts are 0. Write `plain-words: ignore` in a comment or `<!-- plain-words: ignore -->` before a paragraph to
// exclude it.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const args = process.argv.slice(2);
const dir = args[0] === undefined || args[0].startsWith('--') ? '.' : args.shift();
const options = args;
const CEILINGS = join(import.meta.dirname, 'plain-words.json');
const has = (name) => options.includes(name);
const value = (name) => (has(name) ? options[options.indexOf(name) + 1] : undefined);

// Openings that hide the noun for the thing. Questions and the fixed phrases of FINE are allowed.
const OPENING =
  /^(What(?:ever)?|Who(?:ever|m|se)?|Which(?:ever)?|Of|Where(?:ver)?|Those|By|As|That which|Whether or not)\b/;
const FINE =
  /^(By default|By (then|now|hand)\b|As (of|a rule|a result|soon as|long as|an example|in|the owner|you registered)\b|Of course|As (for|with) (the|a) |As RFC|As \w+ (does|do|says?)\b|Where (to|is|are|they) |Who changed)/;
const LIMIT = 30; // words in a sentence; the guide asks for 25
const RULES = {
  'is-no':
    /(?<!\bthere )(?<!\bThere )(?<!\bwhich )\b(?:is|are|was|were|be|been|being) no (?!longer\b|more than|less than|need\b|such\b|matter\b|one\b|way\b|doubt\b|different\b|better\b|worse\b|later\b|earlier\b|greater\b|larger\b|smaller\b|older\b|newer\b|help\b)[a-z`"']/,
  idiom: new RegExp(
    [
      '\\banew\\b',
      '\\b(?<!\\ba )(?<!\\bno )no more(?! than)(?=[.,;:]|$| at| and| in)',
      'not? (?:\\w+ ){0,4}any ?more\\b',
      '\\bhand(?:s|ed)? in\\b',
      '\\bstands? (?:in|at|on|here|there|beside|behind|above|below|before|under|alone)\\b',
      '\\bas good as\\b',
      '\\bat fault\\b',
      '\\bbe(?:st|side|sides)? whom\\b',
      '\\bin the place of\\b',
      '(?:^|up to )so many\\b',
      '\\b(?:is|are|was|were) (?:told|heard) (?:so|of|from)\\b',
      '\\bbelongs? together\\b',
      '\\bmakes? no sense\\b',
      '\\bhas to say\\b',
      '\\bthose that are there\\b',
    ].join('|'),
    'i',
  ),
  term: new RegExp(
    [
      '\\bsmall protocols?\\b',
      '\\b(?:in |both |two |either |each |every |a |the )faces?\\b(?! of| the| value)',
      '\\bdoors?\\b',
      '\\bthe house\\b',
      '\\bplaces (?:of|for) ',
      '\\btakes? (?:a |no |all )places?\\b',
      '\\bin turns\\b',
      '(?<!one )\\blanes?\\b',
      '\\brestamp',
      '\\braise[sd]? (?:the |a )?zones?\\b',
      '\\b[Tt]he sentinel\\b(?!s| process| of Redis| beside)',
      '\\bdoubts?\\b',
      '\\bthe ground\\b|\\bgrounds? (?:of|for)\\b',
      '(?<!the )\\bwish(?:es)?\\b(?! to)',
      '\\bbreach(?:es)?\\b',
      '\\bsix marks?\\b',
    ].join('|'),
  ),
  contraction:
    /\b(?:can|won|don|doesn|didn|isn|aren|wasn|weren|shouldn|couldn|wouldn|hasn|haven)'t\b|\b(?:it|that|there|we|you|they)'(?:re|ll|ve)\b/i,
};
// Words that exported names must not contain; each part of a camel-case name is compared whole.
const HOME_MADE = new Set(
  'Ground Together Places Place Turn Lane Draft Take Taken Known Kept Keep Doubt Doubts Restamp Raise Raised Debts Breach Breaches Step Steps Hold Face Faces Wish Small Ask Asked Told Tell Tells Offer Offers Foreign Shown Wanted Provided Belief News'.split(
    ' ',
  ),
);
const EXPORT =
  /^export (?:default )?(?:abstract )?(?:async )?(?:function\*?|const|class|interface|type|enum|let) ([A-Za-z0-9_$]+)/gm;

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!/^(node_modules|dist|generated|\..*)$/.test(entry.name)) yield* files(path);
    } else if (
      /^packages\/[^/]+\/src\/.*\.tsx?$/.test(relative(dir, path)) &&
      (has('--tests') || !/\.test\.tsx?$/.test(path))
    )
      yield path;
    else if (
      /^(docs\/(?!reference\/.*-operations).*|packages\/[^/]+\/[^/]+|[^/]+)\.md$/.test(
        relative(dir, path),
      )
    )
      yield path;
  }
}

// Yields comments (neighbouring `//` lines count as one) and string literals of TypeScript, as [line, text, kind].
function* textsOfCode(source) {
  const token =
    /\/\/([^\n]*)|\/\*([\s\S]*?)\*\/|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\[\s\S])*)`|(?<=[(,=:[!&|?{};]\s*|return\s+)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;
  let block,
    line = 1,
    at = 0;
  for (const found of source.matchAll(token)) {
    line += source.slice(at, found.index).split('\n').length - 1;
    const between = source.slice(at, found.index);
    at = found.index;
    const [, single, many, ...strings] = found;
    if (block && (single === undefined || !/^[^\n]*\n[ \t]*$/.test(between.slice(block.cut)))) {
      yield [block.line, block.text, 'comment'];
      block = undefined;
    }
    if (single !== undefined)
      block = {
        line: block?.line ?? line,
        text: block ? `${block.text} ${single.trim()}` : single.trim(),
        cut: found[0].length,
      };
    else if (many !== undefined)
      yield [
        line,
        many
          .replace(/^\s*\*+ ?/gm, '')
          .replace(/\n\s*\n|\n(?=@)/g, '\u241e')
          .replace(/\s+/g, ' ')
          .trim(),
        'comment',
      ];
    else {
      const text = strings.find((each) => each !== undefined);
      if (text !== undefined) yield [line, text.replace(/\$\{[^}]*\}/g, 'X'), 'string'];
    }
  }
  if (block) yield [block.line, block.text, 'comment'];
}

// Yields paragraphs, list items and table cells of Markdown, without fenced code.
function* textsOfMarkdown(source) {
  const lines = source.replace(/^---\n[\s\S]*?\n---\n/, '').split('\n');
  let text = '',
    start = 1,
    fence = false;
  for (const [index, raw] of [...lines, ''].entries()) {
    if (/^\s*(```|~~~)/.test(raw)) fence = !fence;
    const isTable = /^\s*\|/.test(raw);
    if (text && (fence || isTable || !raw.trim() || /^\s*([-*+]|\d+\.|#+|>|```) ?/.test(raw))) {
      yield [start, text, 'document'];
      text = '';
    }
    if (fence || /^\s*(```|~~~|!\[|<!--)/.test(raw)) continue;
    if (isTable) {
      for (const cell of raw.split(/(?<!\\)\|/))
        if (cell.trim().split(/\s+/).length > 3) yield [index + 1, cell.trim(), 'document'];
    } else if (raw.trim()) {
      if (!text) start = index + 1;
      text = `${text} ${raw.replace(/^\s*([-*+]|\d+\.|#+|>)\s+/, '')}`.trim();
    }
  }
}

const counts = {},
  hits = [];
const hit = (rule, kind, path, line, text) => {
  (counts[rule] ??= { comment: 0, string: 0, document: 0, name: 0 })[kind]++;
  hits.push({
    rule,
    text: `${rule}\t${relative(dir, path)}:${line}\t${kind}\t${text.slice(0, 220)}`,
  });
};
for (const path of files(dir)) {
  if (has('--in') && !relative(dir, path).startsWith(value('--in'))) continue;
  const source = readFileSync(path, 'utf8');
  const isCode = !path.endsWith('.md');
  if (isCode)
    for (const [, name] of source.matchAll(EXPORT))
      if (
        name
          .split(/_|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
          .some((hump) => HOME_MADE.has(hump[0]?.toUpperCase() + hump.slice(1).toLowerCase()))
      )
        hit('name', 'name', path, 0, name);
  for (const [line, raw, kind] of isCode ? textsOfCode(source) : textsOfMarkdown(source)) {
    if (/plain-words: ignore|^(oxlint|eslint|@ts-|prettier|istanbul|c8 |<reference)/.test(raw))
      continue;
    const plain = raw
      .replace(/`[^`]*`/g, 'X')
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/\*\*|\\(?=')/g, '')
      .replace(/https?:\S+/g, 'X');
    if (
      kind === 'string' &&
      (!/^[A-Za-z"'X]/.test(plain) ||
        // The path data of an icon is not prose.
        /^M\d/.test(plain) ||
        plain.split(/\s+/).length < 4 ||
        /^(select|insert|update|delete|with|create|alter|grant|drop)\b|\bfrom dns\.|\bcase when\b|::|=>|\n +[\w-]+: /i.test(
          plain,
        ))
    )
      continue;
    const sentences = plain
      .replace(/\b(e\.g|i\.e|etc|cf|vs|No)\./g, '$1')
      .split(/(?<=[.!?])["')]*\s+(?=["'(]?[A-Z0-9`])|\u241e/);
    for (const [index, sentence] of sentences.entries()) {
      if (OPENING.test(sentence) && !FINE.test(sentence) && !/\?\s*$/.test(sentence))
        hit(index ? 'opening-later' : 'opening', kind, path, line, sentence);
      if (sentence.split(/\s+/).filter((word) => /[A-Za-z0-9]/.test(word)).length > LIMIT)
        hit('long', kind, path, line, sentence);
      for (const [rule, pattern] of Object.entries(RULES)) {
        const found = sentence.match(pattern);
        if (found) hit(rule, kind, path, line, `[${found[0]}] ${sentence}`);
      }
    }
  }
}
const chosen = hits.filter(({ rule }) => !value('--rule') || rule === value('--rule'));
const step = has('--sample') ? Math.max(1, chosen.length / Number(value('--sample'))) : 1;
if (has('--list') || has('--sample'))
  for (let at = 0; at < chosen.length; at += step) console.log(chosen[Math.floor(at)].text);
if (!has('--check'))
  console.table(
    Object.fromEntries(
      Object.entries(counts).map(([rule, each]) => [
        rule,
        { ...each, total: Object.values(each).reduce((sum, one) => sum + one, 0) },
      ]),
    ),
  );
console.log(`total ${hits.length}`);

const found = Object.fromEntries(
  Object.entries(counts).map(([rule, each]) => [
    rule,
    Object.values(each).reduce((sum, one) => sum + one, 0),
  ]),
);
if (has('--check')) {
  for (const [rule, ceiling] of Object.entries(JSON.parse(readFileSync(CEILINGS, 'utf8')))) {
    if ((found[rule] ?? 0) <= ceiling) continue;
    console.error(
      `${rule}: ${found[rule]} hits, at most ${ceiling} are allowed. See them with: node scripts/plain-words.mjs --list --rule ${rule}`,
    );
    process.exitCode = 1;
  }
}
if (has('--lower')) {
  const ceilings = JSON.parse(readFileSync(CEILINGS, 'utf8'));
  for (const rule of Object.keys(ceilings))
    ceilings[rule] = Math.min(ceilings[rule], found[rule] ?? 0);
  writeFileSync(CEILINGS, `${JSON.stringify(ceilings, null, 2)}\n`);
}
