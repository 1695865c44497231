import { afterAll, beforeAll } from '@jest/globals';
import { ZoneGroups } from '@zonewright/zones';

/**
 * Runs changes in transactions that lock their zones: for these changes, all zones have more data than is read at once.
 */
export type LockedWay = <T>(work: () => Promise<T>) => Promise<T>;

type Read = ZoneGroups['read'];

interface Reader {
  read: (this: ZoneGroups, ...needs: Parameters<Read>) => ReturnType<Read>;
}

export function useLockedWay(): LockedWay {
  const prototype: Reader = ZoneGroups.prototype;
  const { read } = prototype;
  let isLocking = false;
  beforeAll(() => {
    prototype.read = async function readUnlessLocking(needs) {
      return isLocking ? undefined : await read.call(this, needs);
    };
  });
  afterAll(() => {
    prototype.read = read;
  });
  return async (work) => {
    isLocking = true;
    try {
      return await work();
    } finally {
      isLocking = false;
    }
  };
}
