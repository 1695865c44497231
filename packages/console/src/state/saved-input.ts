import { useCallback, useState } from 'react';

const PREFIX = 'zonewright.kept.';

/** Reads unsaved input that a tab keeps over a reload until the user logs out. It never contains secrets. */
export function readSavedInput(key: string): unknown {
  const text = sessionStorage.getItem(PREFIX + key);
  return text === null ? undefined : JSON.parse(text);
}

export function saveInput(key: string, value: unknown): void {
  if (value === undefined) sessionStorage.removeItem(PREFIX + key);
  else sessionStorage.setItem(PREFIX + key, JSON.stringify(value));
}

export function clearSavedInput(): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}

/** State that is kept so. */
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
