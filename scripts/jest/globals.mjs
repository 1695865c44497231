// Stands for '@jest/globals': what is imported here is that of the test file that runs at the moment, also in modules
// that were loaded for an earlier one.
const CURRENT = Symbol.for('zonewright.jest-globals');

const current = (name) =>
  new Proxy(function () {}, {
    apply: (_target, self, args) => Reflect.apply(globalThis[CURRENT][name], self, args),
    get: (_target, key) => globalThis[CURRENT][name][key],
  });

export const afterAll = current('afterAll');
export const afterEach = current('afterEach');
export const beforeAll = current('beforeAll');
export const beforeEach = current('beforeEach');
export const describe = current('describe');
export const expect = current('expect');
export const it = current('it');
export const jest = current('jest');
export const test = current('test');
