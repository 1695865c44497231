import type { ListedDomain } from '../../api/queries.js';
import { languageStore, useMessages } from '../../messages/language.js';
import { MAIL_PROVIDERS, NO_MAIL } from './mail-providers.js';
import { MESSAGES } from './messages.js';
import { type RecordValues, displayName, toContent } from './record-text.js';

/** Explains a record in a sentence. */
export function useSentence(draft: RecordValues, domain: ListedDomain): string {
  const { sentence } = useMessages(MESSAGES);
  const mail = mailOfProvider(draft);
  if (mail === undefined) return sayData(draft, domain, sentence);
  const name = displayName(toContent(draft, domain).name);
  return mail === NO_MAIL ? sentence.noMail(name) : sentence.mail(name, mail);
}

type Sentences = (typeof MESSAGES)['en']['sentence'];

function sayData(draft: RecordValues, domain: ListedDomain, sentence: Sentences): string {
  if (draft.data.trim() === '') return '';
  const { name, type, data, ttl } = toContent(draft, domain);
  const who = displayName(name);
  const what = displayName(data);
  const kept = sentence.kept(
    formatDuration(ttl !== null && Number.isFinite(ttl) ? ttl : domain.ttl),
  );
  switch (type) {
    case 'A':
    case 'AAAA':
      return `${sentence.address(who, data)} ${kept}`;
    case 'CNAME':
      return `${sentence.alias(who, what)} ${kept}`;
    case 'MX':
      return `${sentence.mail(who, what)} ${kept}`;
    case 'NS':
      return `${sentence.server(who, what)} ${kept}`;
    case 'TXT':
      return `${sentence.text(who)} ${kept}`;
    default:
      return `${sentence.other(who, type)} ${kept}`;
  }
}

/** Mail provider of the record. Undefined for the server in `data`. */
function mailOfProvider({ provider }: RecordValues): string | undefined {
  return provider === NO_MAIL ? NO_MAIL : MAIL_PROVIDERS.find(({ id }) => id === provider)?.name;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `1 hour`; `90 minutes`, which is not a whole number of hours. */
function formatDuration(seconds: number): string {
  const [unit, length] =
    UNITS.find(([, each]) => seconds >= each && seconds % each === 0) ?? (['second', 1] as const);
  return new Intl.NumberFormat(languageStore.get(), {
    style: 'unit',
    unit,
    unitDisplay: 'long',
  }).format(seconds / length);
}
