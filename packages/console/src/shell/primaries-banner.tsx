import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { clientOf } from '../api/client.js';
import { type Publication, publicationQuery } from '../api/publication.js';
import type { ListedDomain } from '../api/queries.js';
import { defineMessages, useMessages } from '../state/language.js';
import { Banner, FailureBanner } from '../ui/banner.js';
import { Button } from '../ui/button.js';
import { RelativeTime } from '../ui/relative-time.js';
import { useAction } from '../ui/use-action.js';

type Primaries = NonNullable<Publication['primaries']>;
type Reason = NonNullable<Primaries['reason']>;

/** Pause between queries for the state of the primaries, which changes without a change of the domain. */
const PAUSE_MS = 10_000;
const PAUSE_WITH_PROBLEM_MS = 2_000;

interface Explained {
  readonly cause: string;
  /** Translation of the `action` that the API gives in English. */
  readonly action?: string;
}

const EN: Readonly<Record<Reason, Explained>> = {
  unreachable: { cause: 'The primary cannot be reached or closes the connection.' },
  'not-public': { cause: 'The address of the primary is not public.' },
  'error-response': { cause: 'The primary answers with an error.' },
  signature: { cause: 'The signature (TSIG) of the answer is wrong.' },
  'not-authoritative': { cause: 'The primary is not authoritative for the zone.' },
  malformed: { cause: 'The answer of the primary is not a valid zone transfer.' },
  key: { cause: 'The key cannot be used here.' },
  internal: { cause: 'This service could not store the zone.' },
  soa: {
    cause: 'This service refuses the zone: it must have exactly one SOA record, at its apex.',
  },
  ns: { cause: 'This service refuses the zone: its apex has no NS records.' },
  'class-or-type': {
    cause:
      'This service refuses the zone: a record has a class or type that is not allowed in a zone.',
  },
  'outside-zone': { cause: 'This service refuses the zone: a name is outside the zone.' },
  rdata: {
    cause: 'This service refuses the zone: a record has data that its type does not allow.',
  },
  cname: { cause: 'This service refuses the zone: a name has a CNAME record and other records.' },
  dname: { cause: 'This service refuses the zone: a name has several DNAME records.' },
  'wildcard-ns': { cause: 'This service refuses the zone: it has NS records at a wildcard name.' },
  'nsec3-iterations': {
    cause: 'This service refuses the zone: its NSEC3 records have too many iterations.',
  },
  'nsec3-algorithm': {
    cause: 'This service refuses the zone: its NSEC3 records have an unknown hash algorithm.',
  },
  'too-large': { cause: 'This service refuses the zone: it is larger than this service allows.' },
  'old-nameservers': { cause: 'A nameserver of an earlier version cannot answer for this zone.' },
};

const DE: Readonly<Record<Reason, Explained>> = {
  unreachable: {
    cause: 'Der Primärserver ist nicht erreichbar oder beendet die Verbindung.',
    action:
      'Erlauben Sie TCP-Verbindungen von den Adressen dieses Dienstes zum Port des Primärservers.',
  },
  'not-public': {
    cause: 'Die Adresse des Primärservers ist nicht öffentlich.',
    action: 'Tragen Sie öffentliche Adressen der Primärserver ein.',
  },
  'error-response': {
    cause: 'Der Primärserver antwortet mit einem Fehler.',
    action:
      'Erlauben Sie am Primärserver Transfers der Zone zu diesem Dienst. Vergleichen Sie Name, Algorithmus und Geheimnis des TSIG-Schlüssels sowie die Uhrzeit beider Server.',
  },
  signature: {
    cause: 'Die Signatur (TSIG) der Antwort ist falsch.',
    action:
      'Vergleichen Sie Name, Algorithmus und Geheimnis des TSIG-Schlüssels am Primärserver sowie die Uhrzeit beider Server.',
  },
  'not-authoritative': {
    cause: 'Der Primärserver ist für die Zone nicht autoritativ.',
    action: 'Laden Sie die Zone am Primärserver: Die Zone fehlt dort oder ist abgelaufen.',
  },
  malformed: {
    cause: 'Die Antwort des Primärservers ist kein gültiger Zonentransfer.',
    action:
      'Lassen Sie die Zone erneut abfragen. Wenn sich der Fehler wiederholt, aktualisieren Sie die Software des Primärservers.',
  },
  key: {
    cause: 'Der Schlüssel kann hier nicht verwendet werden.',
    action: 'Wenden Sie sich an den Betreiber dieses Dienstes.',
  },
  internal: {
    cause: 'Dieser Dienst konnte die Zone nicht speichern.',
    action:
      'Wenden Sie sich an den Betreiber dieses Dienstes. Der Dienst versucht es automatisch erneut.',
  },
  soa: {
    cause:
      'Dieser Dienst lehnt die Zone ab: Die Zone muss genau einen SOA-Eintrag haben, und zwar an ihrem Apex.',
    action: 'Geben Sie der Zone genau einen SOA-Eintrag an ihrem Apex.',
  },
  ns: {
    cause: 'Dieser Dienst lehnt die Zone ab: An ihrem Apex fehlen NS-Einträge.',
    action: 'Fügen Sie NS-Einträge am Apex der Zone hinzu.',
  },
  'class-or-type': {
    cause:
      'Dieser Dienst lehnt die Zone ab: Die Klasse oder der Typ eines Eintrags ist in einer Zone nicht erlaubt.',
    action: 'Entfernen Sie den Eintrag.',
  },
  'outside-zone': {
    cause: 'Dieser Dienst lehnt die Zone ab: Ein Name liegt außerhalb der Zone.',
    action: 'Entfernen Sie den Eintrag.',
  },
  rdata: {
    cause: 'Dieser Dienst lehnt die Zone ab: Ein Eintrag hat Daten, die sein Typ nicht erlaubt.',
    action: 'Korrigieren oder entfernen Sie den Eintrag.',
  },
  cname: {
    cause:
      'Dieser Dienst lehnt die Zone ab: Ein Name hat einen CNAME-Eintrag und weitere Einträge.',
    action: 'Entfernen Sie den CNAME-Eintrag oder die anderen Einträge des Namens.',
  },
  dname: {
    cause: 'Dieser Dienst lehnt die Zone ab: Ein Name hat mehrere DNAME-Einträge.',
    action: 'Behalten Sie nur einen DNAME-Eintrag an diesem Namen.',
  },
  'wildcard-ns': {
    cause: 'Dieser Dienst lehnt die Zone ab: Sie hat NS-Einträge an einem Wildcard-Namen.',
    action: 'Entfernen Sie die NS-Einträge am Wildcard-Namen (RFC 4592, Abschnitt 4.2).',
  },
  'nsec3-iterations': {
    cause: 'Dieser Dienst lehnt die Zone ab: Ihre NSEC3-Einträge haben zu viele Iterationen.',
    action: 'Signieren Sie die Zone mit 0 Iterationen und leerem Salt (RFC 9276).',
  },
  'nsec3-algorithm': {
    cause:
      'Dieser Dienst lehnt die Zone ab: Ihre NSEC3-Einträge haben einen unbekannten Hash-Algorithmus.',
    action: 'Signieren Sie die Zone mit dem Hash-Algorithmus 1 (SHA-1) oder mit NSEC.',
  },
  'too-large': {
    cause: 'Dieser Dienst lehnt die Zone ab: Die Zone ist größer, als dieser Dienst erlaubt.',
    action:
      'Entfernen Sie Einträge am Primärserver, oder bitten Sie den Betreiber dieses Dienstes um ein höheres Limit.',
  },
  'old-nameservers': {
    cause:
      'Ein Nameserver mit einer früheren Version kann Anfragen zu dieser Zone nicht beantworten.',
    action: 'Die Zone wird übernommen, sobald der Betreiber alle Nameserver aktualisiert hat.',
  },
};

const MESSAGES = defineMessages({
  en: {
    secondary:
      'This is a secondary domain: its records come from its primaries. Change them there.',
    refresh: 'Query primaries',
    contents: {
      stale: 'The primaries do not provide the latest version, so the previous one is published',
      expired: 'The zone has expired, so queries for it get SERVFAIL',
      none: 'The primaries have not provided the zone yet, so queries for it get SERVFAIL',
    },
    awaited: 'The zone is being requested from its primaries',
    confirmed: 'Last confirmed by a primary:',
    reasons: EN,
  },
  de: {
    secondary:
      'Dies ist eine sekundäre Domain: Ihre Einträge kommen von ihren Primärservern. Ändern Sie sie dort.',
    refresh: 'Primärserver abfragen',
    contents: {
      stale: 'Die Primärserver liefern die neueste Version nicht; veröffentlicht ist die vorherige',
      expired: 'Die Zone ist abgelaufen; Anfragen zu ihr werden mit SERVFAIL beantwortet',
      none: 'Die Primärserver haben die Zone noch nicht geliefert; Anfragen zu ihr werden mit SERVFAIL beantwortet',
    },
    awaited: 'Die Zone wird bei ihren Primärservern abgefragt',
    confirmed: 'Zuletzt von einem Primärserver bestätigt:',
    reasons: DE,
  },
});

interface PrimariesBannerProps {
  readonly projectId: string;
  readonly domain: ListedDomain;
}

/**
 * Shows that a domain is a secondary one. If its primaries do not provide it, explains why, and what to change there.
 * Shows nothing for other domains.
 */
export function PrimariesBanner({ projectId, domain: { id, serial } }: PrimariesBannerProps) {
  const t = useMessages(MESSAGES);
  const { data, refetch } = useQuery({
    ...publicationQuery(projectId, id, serial),
    refetchInterval: ({ state: { data: known } }) => pauseAfter(known?.primaries ?? null),
  });
  const { run, isBusy, error } = useAction(
    useCallback(async () => {
      await clientOf(projectId).call('refreshDomain', { path: { domainId: id } });
      await refetch();
    }, [projectId, id, refetch]),
  );
  const primaries = data?.primaries ?? null;
  if (primaries === null) return null;
  const { content, problem, action } = primaries;
  const isAwaited = content !== 'latest' && action === null && problem === null;
  const tones = { latest: 'info', stale: 'warn', expired: 'bad', none: 'bad' } as const;
  return (
    <>
      {error !== undefined && <FailureBanner error={error} />}
      <Banner
        tone={isAwaited ? 'info' : tones[content]}
        title={isAwaited ? t.awaited : content === 'latest' ? t.secondary : t.contents[content]}
        actions={
          <Button isBusy={isBusy} onClick={() => void run()}>
            {t.refresh}
          </Button>
        }
      >
        {content !== 'latest' && !isAwaited && <Explanation primaries={primaries} />}
      </Banner>
    </>
  );
}

function pauseAfter(primaries: Primaries | null): number | false {
  if (primaries === null) return false;
  return primaries.content === 'latest' ? PAUSE_MS : PAUSE_WITH_PROBLEM_MS;
}

function Explanation({
  primaries: { reason, problem, action, refreshed_at: at },
}: {
  readonly primaries: Primaries;
}) {
  const t = useMessages(MESSAGES);
  // A later version of the service may send reasons that are not known here.
  const known = reason === null ? undefined : t.reasons[reason];
  return (
    <>
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
    </>
  );
}
