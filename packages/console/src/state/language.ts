import { createPersistentStore, useStore } from './store.js';

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const preferred: Language = navigator.language.startsWith('de') ? 'de' : 'en';
export const languageStore = createPersistentStore<Language>('zonewright.language', preferred, [
  'en',
  'de',
]);

export function useLanguage(): Language {
  return useStore(languageStore);
}

/**
 * Defines the texts of a screen in every language: plain texts, and functions for texts with values. The English texts
 * define the set, and the compiler requires the same set in other languages.
 */
export function defineMessages<T>(messages: {
  readonly en: T;
  readonly de: NoInfer<T>;
}): Readonly<Record<Language, T>> {
  return messages;
}

export function useMessages<T>(messages: Readonly<Record<Language, T>>): T {
  return messages[useLanguage()];
}

/**
 * Formats a number with its noun, such as `1 record` or `1,234 records`. Both languages have one form for one and
 * another for all other numbers (CLDR).
 */
export function count(number: number, one: string, other: string): string {
  return `${formatNumber(number)} ${number === 1 ? one : other}`;
}

/** Caches one object for each language. Creating it takes longer than the rest of a table row. */
function keepByLanguage<T>(make: (language: Language) => T): () => T {
  const made = new Map<Language, T>();
  return () => {
    const language = languageStore.get();
    const known = made.get(language) ?? make(language);
    made.set(language, known);
    return known;
  };
}

const numbers = keepByLanguage((language) => new Intl.NumberFormat(language));
const times = keepByLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }),
);
const distances = keepByLanguage(
  (language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }),
);

export function formatNumber(number: number): string {
  return numbers().format(number);
}

/** Reads a time of the APIs, which is UTC without a time zone. JavaScript needs one. */
export function readTime(text: string): Date {
  return new Date(/[zZ]|[+-]\d\d:\d\d$/.test(text) ? text : `${text.slice(0, 23)}Z`);
}

export function formatTime(time: Date): string {
  return times().format(time);
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Formats a relative time, such as `3 minutes ago` or `in 6 days`. */
export function formatRelative(time: Date, now = Date.now()): string {
  const seconds = Math.round((time.getTime() - now) / 1_000);
  const format = distances();
  const [unit, length] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return Math.abs(seconds) < 10
    ? format.format(0, 'second')
    : format.format(Math.trunc(seconds / length), unit);
}
