import type { Doubt } from '@zonewright/client';
import { defineMessages, languageStore } from '../messages/language.js';
import { dismissToast, showToast } from '../ui/toasts.js';

const MESSAGES = defineMessages({
  en: {
    asking:
      'There was no response, so the outcome is unknown. The request is repeated until it is known; the change is made only once.',
    stop: 'Stop retrying',
    done: 'The change was made.',
    notDone: 'The change was not made.',
  },
  de: {
    asking:
      'Es kam keine Antwort; das Ergebnis ist unbekannt. Die Anfrage wird wiederholt, bis es bekannt ist; die Änderung geschieht nur einmal.',
    stop: 'Nicht mehr wiederholen',
    done: 'Die Änderung wurde ausgeführt.',
    notDone: 'Die Änderung wurde nicht ausgeführt.',
  },
});

const PAUSE_MS = 3_000;
/** The service keeps answers for an hour at least: after that the same would be done a second time. */
const LONGEST_MS = 1_800_000;

/** A person is told that nobody knows, may end the asking, and hears which it was. */
export function watchOutcome(): Doubt {
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
