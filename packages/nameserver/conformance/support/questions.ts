import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..');
const QUESTION = /question: '([^' ]+ [A-Z0-9]+)'/g;

/** Returns each question of class IN that the tests of this folder ask. */
export function readConformanceQuestions(): string[] {
  const folders = readdirSync(FOLDER).filter((folder) => folder.startsWith('rfc'));
  const files = folders.flatMap((folder) =>
    readdirSync(join(FOLDER, folder)).map((file) => join(FOLDER, folder, file)),
  );
  const questions = files.flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(QUESTION), ([, question = '']) => question),
  );
  return [...new Set(questions)];
}
