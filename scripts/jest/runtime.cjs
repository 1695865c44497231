// A small replacement for jest's runtime: instead of loading every module again for every test file into a separate
// context, it lets Node load the modules. Each worker loads the sources once, and loads only the modules that belong to
// the tests again for each file (docs/adr/README.md, 0005).
const asyncHooks = require('node:async_hooks');
const { register } = require('node:module');
const { pathToFileURL } = require('node:url');

register('./typescript.mjs', pathToFileURL(__filename));

/** jest-circus looks for its test timeout under this symbol. */
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

let files = 0;

module.exports = class Runtime {
  #file = ++files;
  #mocks;
  #timers;
  #storages = [];

  constructor(_project, { moduleMocker, fakeTimersModern }) {
    this.#mocks = moduleMocker;
    this.#timers = fakeTimersModern;
  }

  /** Loads jest-circus again for each test file, because it keeps its state in its modules. */
  requireInternalModule(path) {
    delete require.cache[path];
    const { AsyncLocalStorage } = asyncHooks;
    const storages = this.#storages;
    asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
      constructor(...options) {
        super(...options);
        storages.push(this);
      }
    };
    try {
      return require(path);
    } finally {
      asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
    }
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(`${pathToFileURL(path)}?file=${this.#file}`);
  }

  /** Receives the globals that ./globals.mjs exports. */
  setGlobalsForRuntime(globals) {
    const jest = {
      fn: this.#mocks.fn.bind(this.#mocks),
      spyOn: this.#mocks.spyOn.bind(this.#mocks),
      restoreAllMocks: () => this.#mocks.restoreAllMocks(),
      useFakeTimers: (options) => this.#timers.useFakeTimers(options),
      useRealTimers: () => this.#timers.useRealTimers(),
      advanceTimersByTimeAsync: (ms) => this.#timers.advanceTimersByTimeAsync(ms),
      setTimeout: (ms) => (globalThis[TIMEOUT] = ms),
    };
    globalThis[Symbol.for('jest-globals')] = { ...globals, jest };
  }

  /** Returns no source maps, because types are replaced by spaces, so that lines and columns stay the same. */
  getSourceMaps() {}

  /** Returns nothing, because coverage is not measured. */
  getAllCoverageInfoCopy() {}

  enterTestCode() {}
  leaveTestCode() {}

  /**
   * Disables every storage that the test file used: Node looks at each enabled storage for each promise it creates, and
   * after a hundred test files that took an eighth of the time.
   */
  teardown() {
    for (const storage of this.#storages) storage.disable();
  }
};
