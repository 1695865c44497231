import { createPersistentStore } from '../state/store.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const themeStore = createPersistentStore<Theme>('zonewright.theme', 'system', THEMES);

function apply(): void {
  const theme = themeStore.get();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Before anything is drawn: no flash of the other one. */
export function followTheme(): void {
  apply();
  themeStore.subscribe(apply);
}
