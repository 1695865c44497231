import { defineMessages } from '../../state/language.js';

export const MESSAGES = defineMessages({
  en: {
    title: 'Operator',
    description: 'The nameservers of this service, as they report themselves.',
    nameservers: 'Nameservers',
    name: 'Name',
    status: 'Status',
    live: 'live',
    silent: 'no response',
    never: 'never reported',
    position: 'Position',
    lag: 'Lag',
    zones: 'Zones',
    failed: 'Failed zones',
    image: 'Image',
    version: 'Version',
    heard: 'Last report',
    summary: (live: string, all: string) => `${live} of ${all} are live`,
    behind: 'A nameserver that does not report or lags still answers with the data that it has.',
    commands: 'Command line',
    commandsText:
      'Use zonewright-admin to manage accounts, quotas, keys and nameservers. Its option --help explains each command with an example.',
  },
  de: {
    title: 'Betrieb',
    description: 'Die Nameserver dieses Dienstes, wie sie sich selbst melden.',
    nameservers: 'Nameserver',
    name: 'Name',
    status: 'Stand',
    live: 'in Betrieb',
    silent: 'keine Rückmeldung',
    never: 'nie gemeldet',
    position: 'Position',
    lag: 'Rückstand',
    zones: 'Zonen',
    failed: 'Fehlerhafte Zonen',
    image: 'Abbild',
    version: 'Version',
    heard: 'Letzte Meldung',
    summary: (live: string, all: string) => `${live} von ${all} sind in Betrieb`,
    behind:
      'Ein Nameserver, der sich nicht meldet oder zurückliegt, antwortet weiter mit seinen vorhandenen Daten.',
    commands: 'Kommandozeile',
    commandsText:
      'Konten, Kontingente, Schlüssel und Nameserver verwalten Sie mit zonewright-admin. Die Option --help erklärt jeden Befehl mit einem Beispiel.',
  },
});
