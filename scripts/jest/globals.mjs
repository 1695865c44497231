// What tests get as `@jest/globals`.
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } =
  globalThis[Symbol.for('jest-globals')];
