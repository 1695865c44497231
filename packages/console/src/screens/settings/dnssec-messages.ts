import { defineMessages } from '../../messages/language.js';

export const DNSSEC_MESSAGES = defineMessages({
  en: {
    title: 'DNSSEC',
    text: 'Signatures let resolvers see that an answer is yours. Signing begins at once; it protects once your registrar has the DS.',
    sign: 'Sign this domain',
    signing: 'The domain is being signed',
    unavailable: 'This service signs no domains',
    states: {
      unsigned: 'not signed',
      signing: 'being signed',
      signed: 'signed',
      leaving: 'waiting until the DS is gone',
      unsigning: 'being unsigned',
    },
    ds: 'DS for your registrar',
    dsText: 'Hand this in where the domain is registered.',
    copyDs: 'Copy DS',
    dnskey: 'DNSKEY, for registrars that ask for it',
    copyDnskey: 'Copy DNSKEY',
    leave: 'Stop signing',
    leaveTitle: (name: string) => `Stop signing ${name}?`,
    leaveText:
      'Delete the DS at your registrar as well. The domain stays signed until the parent shows none: without that, resolvers that check would not find it any more.',
    left: 'Signing ends when the DS is gone',
  },
  de: {
    title: 'DNSSEC',
    text: 'An Signaturen erkennen Resolver, dass eine Antwort von Ihnen ist. Signiert wird sofort; geschützt ist die Domain, sobald Ihr Registrar den DS hat.',
    sign: 'Diese Domain signieren',
    signing: 'Die Domain wird signiert',
    unavailable: 'Dieser Dienst signiert keine Domains',
    states: {
      unsigned: 'nicht signiert',
      signing: 'wird signiert',
      signed: 'signiert',
      leaving: 'wartet, bis der DS fort ist',
      unsigning: 'Signaturen werden entfernt',
    },
    ds: 'DS für Ihren Registrar',
    dsText: 'Geben Sie ihn dort ab, wo die Domain registriert ist.',
    copyDs: 'DS kopieren',
    dnskey: 'DNSKEY, für Registrare, die ihn verlangen',
    copyDnskey: 'DNSKEY kopieren',
    leave: 'Nicht mehr signieren',
    leaveTitle: (name: string) => `${name} nicht mehr signieren?`,
    leaveText:
      'Löschen Sie auch den DS bei Ihrem Registrar. Die Domain bleibt signiert, bis die übergeordnete Zone keinen mehr zeigt: sonst fänden prüfende Resolver sie nicht mehr.',
    left: 'Das Signieren endet, wenn der DS fort ist',
  },
});
