// jest reporter that writes the paths of failed files, one per line, for scripts/test.mjs.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

export const FAILED_FILES = 'failed-files';

export default class FailedFiles {
  onTestFileResult({ path }, { numFailingTests, testExecError }) {
    const { ZONEWRIGHT_TEST_FOLDER: folder } = process.env;
    if (folder === undefined || (numFailingTests === 0 && !testExecError)) return;
    appendFileSync(join(folder, FAILED_FILES), `${path}\n`);
  }
}
