import { defineMessages } from '../../state/language.js';

export const MESSAGES = defineMessages({
  en: {
    title: 'Operator',
    description: 'Nameservers of this service, with the status that they report.',
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
    image: 'Zone data',
    version: 'Version',
    heard: 'Last report',
    summary: (live: string, all: string) => `Live nameservers: ${live} of ${all}`,
    behind: 'A nameserver that lags or does not report still answers with the data that it has.',
    commands: 'Command line',
    commandsText:
      'Use zonewright-admin to manage accounts, quotas, keys and nameservers. The option --help explains each command with an example.',
  },
  de: {
    title: 'Betrieb',
    description: 'Die Nameserver dieses Dienstes mit dem Status, den sie melden.',
    nameservers: 'Nameserver',
    name: 'Name',
    status: 'Status',
    live: 'in Betrieb',
    silent: 'keine Rückmeldung',
    never: 'nie gemeldet',
    position: 'Position',
    lag: 'Rückstand',
    zones: 'Zonen',
    failed: 'Fehlerhafte Zonen',
    image: 'Zonendaten',
    version: 'Version',
    heard: 'Letzte Meldung',
    summary: (live: string, all: string) => `Nameserver in Betrieb: ${live} von ${all}`,
    behind:
      'Ein Nameserver, der sich nicht meldet oder zurückliegt, antwortet weiter mit seinen vorhandenen Daten.',
    commands: 'Kommandozeile',
    commandsText:
      'Konten, Kontingente, Schlüssel und Nameserver verwalten Sie mit zonewright-admin. Die Option --help erklärt jeden Befehl mit einem Beispiel.',
  },
});
