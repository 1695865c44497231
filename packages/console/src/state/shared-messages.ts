import { defineMessages } from './language.js';

/** Texts that many screens use. */
export const SHARED = defineMessages({
  en: {
    cancel: 'Cancel',
    save: 'Save',
    close: 'Close',
    delete: 'Delete',
    undo: 'Undo',
    tryAgain: 'Try again',
    copy: 'Copy',
    copied: 'Copied',
    download: (name: string) => `Download ${name}`,
    loading: 'Loading',
    optional: 'optional',
    somethingFailed: 'Request failed',
    unreachable:
      'The console cannot reach the server. Your input is kept, and the console tries again.',
    unknownOutcome:
      'There was no response, so the outcome is unknown. Check the history before you try again.',
    retryIn: (seconds: number) => `Next attempt in ${seconds} s`,
    asOf: (time: string) => `As of ${time}`,
    requestId: 'Request ID:',
    copyDetails: 'Copy details',
    broken: 'An error occurred on this page. Data on the server is not affected.',
    reload: 'Reload',
    kept: 'I have saved it',
    asCommands: 'Show commands',
    copyCommand: (program: string) => `Copy for ${program}`,
    confirmName: (name: string) => `To confirm, type ${name}`,
  },
  de: {
    cancel: 'Abbrechen',
    save: 'Speichern',
    close: 'Schließen',
    delete: 'Löschen',
    undo: 'Rückgängig machen',
    tryAgain: 'Erneut versuchen',
    copy: 'Kopieren',
    copied: 'Kopiert',
    download: (name: string) => `${name} herunterladen`,
    loading: 'Wird geladen',
    optional: 'optional',
    somethingFailed: 'Anfrage fehlgeschlagen',
    unreachable:
      'Die Konsole kann den Server nicht erreichen. Ihre Eingaben bleiben erhalten, und die Konsole versucht es erneut.',
    unknownOutcome:
      'Es kam keine Antwort; das Ergebnis ist unbekannt. Prüfen Sie den Verlauf, bevor Sie es erneut versuchen.',
    retryIn: (seconds: number) => `Nächster Versuch in ${seconds} s`,
    asOf: (time: string) => `Stand: ${time}`,
    requestId: 'Anfrage-ID:',
    copyDetails: 'Details kopieren',
    broken:
      'Auf dieser Seite ist ein Fehler aufgetreten. Daten auf dem Server sind nicht betroffen.',
    reload: 'Neu laden',
    kept: 'Ich habe es gespeichert',
    asCommands: 'Befehle anzeigen',
    copyCommand: (program: string) => `Für ${program} kopieren`,
    confirmName: (name: string) => `Zur Bestätigung ${name} eingeben`,
  },
});
