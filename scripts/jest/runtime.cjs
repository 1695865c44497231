// jest's runtime, made small: instead of loading every module anew for every test file into a context of its own, it lets Node
// load them. Sources are loaded once in each worker, what belongs to the tests anew for each file (docs/adr/README.md, 0005).
const asyncHooks = require('node:async_hooks');
const { register } = require('node:module');
const { pathToFileURL } = require('node:url');

register('./typescript.mjs', pathToFileURL(__filename));

/** Where jest-circus looks for it. */
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

  /** jest-circus: anew, since it keeps its state in its modules. */
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

  /** What ./globals.mjs exports. */
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

  /** None: types are taken away in place, so that lines and columns stay. */
  getSourceMaps() {}

  /** Coverage is not measured. */
  getAllCoverageInfoCopy() {}

  enterTestCode() {}
  leaveTestCode() {}

  /** Each storage that was ever used is looked at for each promise that is made: after a hundred test files that took an eighth of the time. */
  teardown() {
    for (const storage of this.#storages) storage.disable();
  }
};
