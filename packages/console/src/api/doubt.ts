import type { Doubt } from '@zonewright/client';
import { defineMessages, languageStore } from '../messages/language.js';
import { dismissToast, showToast } from '../ui/toasts.js';

const MESSAGES = defineMessages({
  en: {
    asking:
      'No answer came, so we do not know whether it was done. The same is asked again until we know; it is done once.',
    stop: 'Stop asking',
    done: 'We know now: it was done.',
    notDone: 'We know now: it was not done.',
  },
  de: {
    asking:
      'Es kam keine Antwort; ob es geschehen ist, wissen wir nicht. Dasselbe wird gefragt, bis wir es wissen; es geschieht einmal.',
    stop: 'Nicht mehr fragen',
    done: 'Jetzt ist es bekannt: Es ist geschehen.',
    notDone: 'Jetzt ist es bekannt: Es ist nicht geschehen.',
  },
});

const PAUSE_MS = 3_000;
/** The service keeps answers for an hour at least: after that the same would be done a second time. */
const LONGEST_MS = 1_800_000;

/** A person is told that nobody knows, may end the asking, and hears which it was. */
export function openDoubt(): Doubt {
  const t = MESSAGES[languageStore.get()];
  const endsAt = Date.now() + LONGEST_MS;
  let isWanted = true;
  let wake: (() => void) | undefined;
  const stop = () => {
    isWanted = false;
    wake?.();
  };
  const id = showToast({
    text: t.asking,
    tone: 'bad',
    isLasting: true,
    action: { label: t.stop, icon: 'close', run: stop },
  });
  return {
    askAgain: async () => {
      if (isWanted) await new Promise<void>((resolve) => setTimeout((wake = resolve), PAUSE_MS));
      if (isWanted && Date.now() < endsAt) return true;
      dismissToast(id);
      return false;
    },
    end: (isDone) => {
      dismissToast(id);
      if (isDone === undefined) return;
      showToast(isDone ? { text: t.done } : { text: t.notDone, tone: 'bad' });
    },
  };
}
