import { useSyncExternalStore } from 'react';

/** A value that components outside of one another share. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** A store that survives a reload: for choices of a person, never for anything secret. */
export function createPersistentStore<T extends string>(
  key: string,
  initial: T,
  allowed: readonly T[],
): Store<T> {
  const found = allowed.find((each) => each === localStorage.getItem(key));
  const store = createStore<T>(found ?? initial);
  store.subscribe(() => {
    localStorage.setItem(key, store.get());
  });
  return store;
}
