import { defineMessages } from '../messages/language.js';

export const MESSAGES = defineMessages({
  en: {
    published: (applied: number, total: number, ms: number) =>
      `Published on ${applied} of ${total} in ${ms} ms`,
    publishedPlain: (applied: number, total: number) => `Published on ${applied} of ${total}`,
    waiting: (applied: number, total: number) => `Publishing: ${applied} of ${total}`,
    late: (names: string, seconds: number) => `late on ${names} for ${seconds} s`,
    serial: (serial: number) => `Serial ${serial}`,
    applied: (name: string, ms: number | null) =>
      ms === null ? `${name}: published` : `${name}: published after ${ms} ms`,
    lateOne: (name: string) => `${name}: late`,
    waitingOne: (name: string) => `${name}: waiting`,
    silent: (name: string) => `${name}: no response`,
  },
  de: {
    published: (applied: number, total: number, ms: number) =>
      `Auf ${applied} von ${total} veröffentlicht nach ${ms} ms`,
    publishedPlain: (applied: number, total: number) =>
      `Auf ${applied} von ${total} veröffentlicht`,
    waiting: (applied: number, total: number) => `Wird veröffentlicht: ${applied} von ${total}`,
    late: (names: string, seconds: number) => `verspätet auf ${names} seit ${seconds} s`,
    serial: (serial: number) => `Serial ${serial}`,
    applied: (name: string, ms: number | null) =>
      ms === null ? `${name}: veröffentlicht` : `${name}: veröffentlicht nach ${ms} ms`,
    lateOne: (name: string) => `${name}: verspätet`,
    waitingOne: (name: string) => `${name}: wartet`,
    silent: (name: string) => `${name}: keine Rückmeldung`,
  },
});
