import { useCallback, useState, useSyncExternalStore } from 'react';

/** Value that unrelated components share. */
interface Store<T> {
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

/** Creates a store that survives a reload, for choices of a user. It must not contain secrets. */
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

const SAVED_INPUT = 'zonewright.kept.';

/** Reads unsaved input, which a tab keeps after a reload until the user logs out. It never contains secrets. */
export function readSavedInput(key: string): unknown {
  const text = sessionStorage.getItem(SAVED_INPUT + key);
  return text === null ? undefined : JSON.parse(text);
}

export function saveInput(key: string, value: unknown): void {
  if (value === undefined) sessionStorage.removeItem(SAVED_INPUT + key);
  else sessionStorage.setItem(SAVED_INPUT + key, JSON.stringify(value));
}

export function clearSavedInput(): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(SAVED_INPUT)) sessionStorage.removeItem(key);
}

/** State that is saved as unsaved input. */
export function useSavedInput<T>(key: string, initial: T): readonly [T, (next: T) => void] {
  const [value, setValue] = useState(() => (readSavedInput(key) as T | undefined) ?? initial);
  const set = useCallback(
    (next: T) => {
      saveInput(key, next);
      setValue(next);
    },
    [key],
  );
  return [value, set];
}

export const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

export const themeStore = createPersistentStore<Theme>('zonewright.theme', 'system', THEMES);

function applyTheme(): void {
  const theme = themeStore.get();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Applies the theme before anything is rendered, so that the other theme does not flash. */
export function followTheme(): void {
  applyTheme();
  themeStore.subscribe(applyTheme);
}
