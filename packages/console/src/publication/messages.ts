import { defineMessages } from '../messages/language.js';

export const MESSAGES = defineMessages({
  en: {
    published: (applied: number, total: number, ms: number) =>
      `Published on ${applied} of ${total} in ${ms} ms`,
    publishedPlain: (applied: number, total: number) => `Published on ${applied} of ${total}`,
    waiting: (applied: number, total: number) => `Publishing: ${applied} of ${total}`,
    late: (names: string, seconds: number) => `${names} have not taken it over for ${seconds} s`,
    serial: (serial: number) => `Serial ${serial}`,
    applied: (name: string, ms: number | null) =>
      ms === null ? `${name} answers with it` : `${name} answers with it after ${ms} ms`,
    lateOne: (name: string) => `${name} is late`,
    waitingOne: (name: string) => `${name} has not taken it over yet`,
    silent: (name: string) => `${name} is not heard from`,
  },
  de: {
    published: (applied: number, total: number, ms: number) =>
      `Auf ${applied} von ${total} veröffentlicht nach ${ms} ms`,
    publishedPlain: (applied: number, total: number) =>
      `Auf ${applied} von ${total} veröffentlicht`,
    waiting: (applied: number, total: number) => `Wird veröffentlicht: ${applied} von ${total}`,
    late: (names: string, seconds: number) =>
      `${names} haben es seit ${seconds} s nicht übernommen`,
    serial: (serial: number) => `Serial ${serial}`,
    applied: (name: string, ms: number | null) =>
      ms === null ? `${name} antwortet damit` : `${name} antwortet damit nach ${ms} ms`,
    lateOne: (name: string) => `${name} ist spät dran`,
    waitingOne: (name: string) => `${name} hat es noch nicht übernommen`,
    silent: (name: string) => `Von ${name} ist nichts zu hören`,
  },
});
