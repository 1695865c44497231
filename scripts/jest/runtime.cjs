// How a test file is loaded: by Node itself, in the process of jest's worker, and not into a context of its own, in
// which each file would load and compile every module once more. That was half of the time of all tests. So modules
// are shared by the test files of a worker; each file has a jest of its own. jest needs this file as CommonJS.
const { register } = require('node:module');
const { pathToFileURL } = require('node:url');
const { default: JestRuntime } = require('jest-runtime');

register('./typescript-loader.mjs', pathToFileURL(__filename));

/** What globals.mjs hands to whoever imports '@jest/globals'. */
const CURRENT = Symbol.for('zonewright.jest-globals');
/** Where jest-circus remembers what it, and the test file before, listen to. */
const CIRCUS_HANDLERS = Symbol.for('EVENT_HANDLERS');

/** In watch mode a process may see a file twice. */
let loads = 0;

class NativeRuntime extends JestRuntime {
  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    loads += 1;
    return await import(`${pathToFileURL(path).href}?load=${loads}`);
  }

  /** jest-circus, which keeps the tests of one file. */
  requireInternalModule(path) {
    delete require.cache[require.resolve(path)];
    delete globalThis[CIRCUS_HANDLERS];
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    super.setGlobalsForRuntime(globals);
    globalThis[CURRENT] = { ...globals, jest: this.jestGlobals.jestObjectFor(this._testPath) };
  }

  /** There is no second `process` whose function would have to lead back into jest. */
  installGetBuiltinModule() {}
}

module.exports = { default: NativeRuntime, __esModule: true };
