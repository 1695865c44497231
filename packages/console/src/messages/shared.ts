import { defineMessages } from './language.js';

/** Words that many screens have. */
export const SHARED = defineMessages({
  en: {
    cancel: 'Cancel',
    save: 'Save',
    close: 'Close',
    delete: 'Delete',
    undo: 'Undo',
    tryAgain: 'Try now',
    copy: 'Copy',
    copied: 'Copied',
    download: (name: string) => `Download ${name}`,
    loading: 'Loading',
    optional: 'optional',
    somethingFailed: 'That did not work',
    unreachable:
      'The console cannot reach its service. What you typed is kept; it tries again by itself.',
    unknownOutcome:
      'No answer came, so we do not know whether it was done. Look at the history before you do it again.',
    retryIn: (seconds: number) => `Next attempt in ${seconds} s`,
    asOf: (time: string) => `As of ${time}`,
    requestId: 'Request',
    copyDetails: 'Copy details',
    broken: 'Something in this page broke. Nothing was lost on the server.',
    reload: 'Reload',
    kept: 'I have kept it',
    confirmName: (name: string) => `Type ${name} to go on`,
  },
  de: {
    cancel: 'Abbrechen',
    save: 'Speichern',
    close: 'Schließen',
    delete: 'Löschen',
    undo: 'Rückgängig',
    tryAgain: 'Jetzt versuchen',
    copy: 'Kopieren',
    copied: 'Kopiert',
    download: (name: string) => `${name} herunterladen`,
    loading: 'Wird geladen',
    optional: 'freiwillig',
    somethingFailed: 'Das hat nicht geklappt',
    unreachable:
      'Die Konsole erreicht ihren Dienst nicht. Eingaben bleiben erhalten; sie versucht es von selbst wieder.',
    unknownOutcome:
      'Es kam keine Antwort; ob es geschehen ist, wissen wir nicht. Sehen Sie im Verlauf nach, bevor Sie es wiederholen.',
    retryIn: (seconds: number) => `Nächster Versuch in ${seconds} s`,
    asOf: (time: string) => `Stand ${time}`,
    requestId: 'Anfrage',
    copyDetails: 'Einzelheiten kopieren',
    broken: 'Auf dieser Seite ging etwas kaputt. Auf dem Server ging nichts verloren.',
    reload: 'Neu laden',
    kept: 'Ich habe es aufbewahrt',
    confirmName: (name: string) => `Zum Fortfahren ${name} eingeben`,
  },
});
