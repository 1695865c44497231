import type { Output } from '@zonewright/client';
import { defineMessages, useMessages } from '../../state/language.js';
import { Banner } from '../../ui/banner.js';
import { RelativeTime } from '../../ui/relative-time.js';

type Primaries = Output<'checkDomain'>['primaries'];
type Reason = NonNullable<NonNullable<Primaries>['reason']>;

interface Explained {
  readonly cause: string;
  /** Translation of the `action` that the API gives in English. */
  readonly action?: string;
}

const EN: Readonly<Record<Reason, Explained>> = {
  unreachable: { cause: 'The primary cannot be reached, or ends the connection.' },
  'not-public': { cause: 'The address of the primary is not public.' },
  'error-response': { cause: 'The primary answers with an error.' },
  signature: { cause: 'The signature (TSIG) of the answer is wrong.' },
  'not-authoritative': { cause: 'The primary is not authoritative for the zone.' },
  malformed: { cause: 'The answer of the primary is not a valid transfer.' },
  key: { cause: 'The key cannot be used here.' },
  internal: { cause: 'This service could not store the zone.' },
  soa: {
    cause: 'This service refuses the zone: it does not have exactly one SOA record, at its apex.',
  },
  ns: { cause: 'This service refuses the zone: its apex has no NS records.' },
  'class-or-type': {
    cause: 'This service refuses the zone: a record has a class or type that no zone may have.',
  },
  'outside-zone': { cause: 'This service refuses the zone: a name lies outside it.' },
  rdata: {
    cause: 'This service refuses the zone: a record has data that its type does not allow.',
  },
  cname: { cause: 'This service refuses the zone: a name has a CNAME record and other records.' },
  dname: { cause: 'This service refuses the zone: a name has several DNAME records.' },
  'nsec3-iterations': {
    cause: 'This service refuses the zone: its NSEC3 have too many iterations.',
  },
  'nsec3-algorithm': {
    cause: 'This service refuses the zone: its NSEC3 have an unknown hash algorithm.',
  },
  'too-large': { cause: 'This service refuses the zone: it is larger than allowed here.' },
  'old-nameservers': { cause: 'A nameserver of an earlier version cannot answer for this zone.' },
};

const DE: Readonly<Record<Reason, Explained>> = {
  unreachable: {
    cause: 'Der Primary ist nicht erreichbar oder beendet die Verbindung.',
    action: 'Erlauben Sie TCP zum Port des Primarys von den Adressen dieses Dienstes.',
  },
  'not-public': {
    cause: 'Die Adresse des Primarys ist nicht öffentlich.',
    action: 'Tragen Sie öffentliche Adressen der Primarys ein.',
  },
  'error-response': {
    cause: 'Der Primary antwortet mit einem Fehler.',
    action:
      'Erlauben Sie am Primary Transfers der Zone zu diesem Dienst. Vergleichen Sie Name, Algorithmus und Geheimnis des Schlüssels und die Uhren.',
  },
  signature: {
    cause: 'Die Signatur (TSIG) der Antwort ist falsch.',
    action:
      'Vergleichen Sie Name, Algorithmus und Geheimnis des Schlüssels am Primary und die Uhren.',
  },
  'not-authoritative': {
    cause: 'Der Primary ist für die Zone nicht autoritativ.',
    action: 'Laden Sie die Zone am Primary: Sie fehlt dort oder ist dort abgelaufen.',
  },
  malformed: {
    cause: 'Die Antwort des Primarys ist kein gültiger Transfer.',
    action:
      'Lassen Sie die Zone neu abfragen. Wiederholt sich das, aktualisieren Sie die Software des Primarys.',
  },
  key: {
    cause: 'Der Schlüssel kann hier nicht verwendet werden.',
    action: 'Fragen Sie den Betreiber dieses Dienstes.',
  },
  internal: {
    cause: 'Dieser Dienst konnte die Zone nicht speichern.',
    action: 'Fragen Sie den Betreiber dieses Dienstes. Er versucht es von selbst erneut.',
  },
  soa: {
    cause:
      'Dieser Dienst lehnt die Zone ab: Sie hat nicht genau einen SOA-Eintrag am Namen der Zone.',
    action: 'Geben Sie der Zone genau einen SOA-Eintrag an ihrem Namen.',
  },
  ns: {
    cause: 'Dieser Dienst lehnt die Zone ab: An ihrem Namen stehen keine NS-Einträge.',
    action: 'Fügen Sie NS-Einträge am Namen der Zone hinzu.',
  },
  'class-or-type': {
    cause:
      'Dieser Dienst lehnt die Zone ab: Ein Eintrag hat eine Klasse oder einen Typ, den keine Zone haben darf.',
    action: 'Entfernen Sie den Eintrag.',
  },
  'outside-zone': {
    cause: 'Dieser Dienst lehnt die Zone ab: Ein Name liegt außerhalb der Zone.',
    action: 'Entfernen Sie den Eintrag.',
  },
  rdata: {
    cause: 'Dieser Dienst lehnt die Zone ab: Ein Eintrag hat Daten, die sein Typ nicht erlaubt.',
    action: 'Berichtigen oder entfernen Sie den Eintrag.',
  },
  cname: {
    cause: 'Dieser Dienst lehnt die Zone ab: Ein Name hat einen CNAME und weitere Einträge.',
    action: 'Entfernen Sie den CNAME oder die anderen Einträge des Namens.',
  },
  dname: {
    cause: 'Dieser Dienst lehnt die Zone ab: Ein Name hat mehrere DNAME-Einträge.',
    action: 'Lassen Sie einen DNAME-Eintrag an diesem Namen.',
  },
  'nsec3-iterations': {
    cause: 'Dieser Dienst lehnt die Zone ab: Ihre NSEC3 haben zu viele Iterationen.',
    action: 'Signieren Sie die Zone mit 0 Iterationen und leerem Salt (RFC 9276).',
  },
  'nsec3-algorithm': {
    cause: 'Dieser Dienst lehnt die Zone ab: Ihre NSEC3 haben einen unbekannten Hash-Algorithmus.',
    action: 'Signieren Sie die Zone mit dem Hash-Algorithmus 1 (SHA-1) oder mit NSEC.',
  },
  'too-large': {
    cause: 'Dieser Dienst lehnt die Zone ab: Sie ist größer als hier erlaubt.',
    action:
      'Entfernen Sie Einträge am Primary, oder bitten Sie den Betreiber dieses Dienstes um mehr Platz.',
  },
  'old-nameservers': {
    cause: 'Ein Nameserver einer früheren Version kann diese Zone nicht beantworten.',
    action: 'Die Zone wird übernommen, sobald der Betreiber alle Nameserver aktualisiert hat.',
  },
};

const MESSAGES = defineMessages({
  en: {
    contents: {
      stale: 'The primaries do not give the latest version; the earlier one is answered',
      expired: 'The zone has expired; it is answered with SERVFAIL',
      none: 'Nothing has come from the primaries yet; the zone is answered with SERVFAIL',
    },
    awaited: 'The zone is being requested from its primaries',
    confirmed: 'Last confirmed by a primary:',
    reasons: EN,
  },
  de: {
    contents: {
      stale: 'Die Primarys geben die neueste Version nicht; beantwortet wird die frühere',
      expired: 'Die Zone ist abgelaufen; sie wird mit SERVFAIL beantwortet',
      none: 'Von den Primarys ist noch nichts gekommen; die Zone wird mit SERVFAIL beantwortet',
    },
    awaited: 'Die Zone wird bei ihren Primarys abgefragt',
    confirmed: 'Zuletzt von einem Primary bestätigt:',
    reasons: DE,
  },
});

/** Why the primaries of a secondary domain do not give it, and what must change there; nothing while they do. */
export function PrimariesBanner({ primaries }: { readonly primaries: Primaries }) {
  const t = useMessages(MESSAGES);
  if (primaries === null || primaries.content === 'latest') return null;
  const { content, reason, problem, action, refreshed_at: at } = primaries;
  if (action === null && problem === null) return <Banner tone="info" title={t.awaited} />;
  // A later version of the service may give reasons that are not known here.
  const known = reason === null ? undefined : t.reasons[reason];
  return (
    <Banner tone={content === 'stale' ? 'warn' : 'bad'} title={t.contents[content]}>
      {known !== undefined && <p>{known.cause}</p>}
      <p>{known?.action ?? action}</p>
      {problem !== null && <code>{problem}</code>}
      {at !== null && (
        <p>
          <small>
            {t.confirmed} <RelativeTime at={at} />
          </small>
        </p>
      )}
    </Banner>
  );
}
