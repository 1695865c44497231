import { type KeyboardEvent, useState } from 'react';
import type { ListedDomain } from '../../api/queries.js';
import { languageStore, useMessages } from '../../state/language.js';
import { SHARED } from '../../state/shared-messages.js';
import { FailureBanner, problemsByField } from '../../ui/banner.js';
import { Button } from '../../ui/button.js';
import { Commands } from '../../ui/commands.js';
import { Checkbox, SelectField, TextField } from '../../ui/field.js';
import { useAction } from '../../ui/use-action.js';
import { RecordAdvice, recordCommands } from './batch-review.js';
import { DataFields } from './data-fields.js';
import { MESSAGES } from './messages.js';
import { MAIL_PROVIDERS, NO_MAIL, planNew } from './plan-new.js';
import {
  absoluteName,
  changedContent,
  COMMON_TYPES,
  displayName,
  type RecordValues,
  relativeName,
  toContent,
} from './record-text.js';
import type { ListedRecord } from './use-records.js';
import styles from './record-editor.module.css';

/** Priority of a single mail server, for which any value works. */
const USUAL_PRIORITY = '10';

interface RecordEditorProps {
  readonly projectId: string;
  readonly domain: ListedDomain;
  readonly initial: RecordValues;
  /** Existing record, whose type cannot be changed. Undefined for a new one. */
  readonly record?: ListedRecord;
  /** All records of the domain, to find related ones. Undefined if not all of them are loaded. */
  readonly known?: readonly ListedRecord[] | undefined;
  readonly onSave: (draft: RecordValues) => Promise<void>;
  readonly onCancel: () => void;
  readonly onChange?: (draft: RecordValues) => void;
}

export function RecordEditor({
  projectId,
  domain,
  initial,
  record,
  known,
  onSave,
  onCancel,
  onChange,
}: RecordEditorProps) {
  const t = useMessages(MESSAGES);
  const shared = useMessages(SHARED);
  const isNew = record === undefined;
  const [draft, setDraft] = useState(initial);
  const { run, isBusy, error } = useAction(onSave);
  const problems = problemsByField(error);
  const sentence = useSentence(draft, domain);
  const changes = isNew
    ? planNew(draft, domain, known ?? [])
    : [{ before: record, after: changedContent(record, draft, domain) }];
  const set = (part: Partial<RecordValues>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    onChange?.(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The grid below also handles keys.
    event.stopPropagation();
    if (event.key === 'Escape') onCancel();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void run(draft);
  };
  // If several records are created at once, an error may belong to any of them.
  const isShownAtFields =
    changes.length === 1 &&
    draft.provider === '' &&
    Object.keys(problems).some((field) => field in draft || field === 'expires_at');
  return (
    <form
      className={styles['editor']}
      aria-label={isNew ? t.newRecord : t.edit(draft.name)}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        void run(draft);
      }}
    >
      {error !== undefined && !isShownAtFields && <FailureBanner error={error} />}
      <div className={styles['fields']}>
        <div className={styles['type']}>
          <TypeField {...{ draft, isNew, problems, set }} />
        </div>
        <div className={styles['name']}>
          <TextField
            label={t.name}
            isMono
            // The row is opened to type in it, so its first field takes the focus.
            autoFocus
            autoCapitalize="none"
            placeholder="@"
            suffix={
              absoluteName(draft.name, domain) === `${draft.name.trim()}.`
                ? ''
                : `.${domain.name.replace(/\.$/, '')}`
            }
            error={problems['name']}
            value={draft.name}
            onChange={({ target: { value } }) => {
              set({ name: value });
            }}
          />
        </div>
        <DataFields
          draft={draft}
          problems={problems}
          onChange={set}
          {...(isNew ? { domain, known } : {})}
        />
        <div className={styles['ttl']}>
          <TextField
            label={t.ttl}
            isMono
            inputMode="numeric"
            placeholder={String(domain.ttl)}
            error={problems['ttl']}
            value={draft.ttl}
            onChange={({ target: { value } }) => {
              set({ ttl: value });
            }}
          />
        </div>
        <div className={styles['note']}>
          <TextField
            label={t.description}
            isOptional
            error={problems['description']}
            value={draft.description}
            onChange={({ target: { value } }) => {
              set({ description: value });
            }}
          />
        </div>
      </div>
      <MoreFields {...{ draft, initial, problems, set }} />
      <RecordAdvice
        {...{ projectId, domain, changes }}
        onFix={({ name, data, priority }) => {
          set({
            name: relativeName(name, domain.name),
            data,
            priority: priority === null ? '' : String(priority),
          });
        }}
      />
      <Commands texts={recordCommands(domain, changes, known)} />
      <div className={styles['foot']}>
        <p className={styles['sentence']} aria-live="polite">
          {sentence}
        </p>
        <Button onClick={onCancel}>{shared.cancel}</Button>
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {isNew ? t.add : shared.save}
        </Button>
      </div>
    </form>
  );
}

interface FieldsProps {
  readonly draft: RecordValues;
  readonly problems: Readonly<Record<string, string>>;
  readonly set: (part: Partial<RecordValues>) => void;
}

/** Choice of the common types, and a text field for all others. The type of an existing record cannot be changed. */
function TypeField({ draft, isNew, problems, set }: FieldsProps & { readonly isNew: boolean }) {
  const t = useMessages(MESSAGES);
  const [isOther, setIsOther] = useState(!COMMON_TYPES.includes(draft.type));
  return (
    <>
      {isNew && !isOther && (
        <SelectField
          label={t.type}
          value={draft.type}
          onChange={({ target: { value } }) => {
            setIsOther(value === '');
            set({
              type: value,
              data: '',
              priority: value === 'MX' ? USUAL_PRIORITY : '',
              provider: '',
              address: '',
              replaces: '',
            });
          }}
        >
          {COMMON_TYPES.map((type) => (
            <option key={type}>{type}</option>
          ))}
          <option value="">{t.otherType}</option>
        </SelectField>
      )}
      {(!isNew || isOther) && (
        <TextField
          label={t.otherTypeLabel}
          isMono
          error={problems['type']}
          readOnly={!isNew}
          value={draft.type}
          onChange={({ target: { value } }) => {
            set({ type: value.toUpperCase() });
          }}
        />
      )}
    </>
  );
}

/** Fields for tags, expiry and the disabled state. Initially open if the record has any of them. */
function MoreFields({
  draft,
  initial,
  problems,
  set,
}: FieldsProps & { readonly initial: RecordValues }) {
  const t = useMessages(MESSAGES);
  const [hasFlags] = useState(
    initial.tags !== '' || initial.expires !== '' || initial.disabled !== '',
  );
  return (
    <details className={styles['more']} open={hasFlags || undefined}>
      <summary>{t.moreOf}</summary>
      <div className={styles['fields']}>
        <div className={styles['data']}>
          <TextField
            label={t.tags}
            isOptional
            hint={t.tagsHint}
            error={problems['tags']}
            value={draft.tags}
            onChange={({ target: { value } }) => {
              set({ tags: value });
            }}
          />
        </div>
        <div className={styles['end']}>
          <TextField
            label={t.expires}
            type="datetime-local"
            step={1}
            isOptional
            hint={t.expiresHint}
            error={problems['expires_at']}
            value={draft.expires}
            onChange={({ target: { value } }) => {
              set({ expires: value });
            }}
          />
        </div>
        <div className={styles['switch']}>
          <Checkbox
            label={t.disabled}
            checked={draft.disabled !== ''}
            onChange={({ target: { checked } }) => {
              set({ disabled: checked ? 'yes' : '' });
            }}
          />
        </div>
      </div>
    </details>
  );
}

/** Explains a record in a sentence. */
function useSentence(draft: RecordValues, domain: ListedDomain): string {
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
  const kept = sentence.kept(
    formatDuration(ttl !== null && Number.isFinite(ttl) ? ttl : domain.ttl),
  );
  return `${sayType(displayName(name), { type, data }, sentence)} ${kept}`;
}

function sayType(
  who: string,
  { type, data }: Pick<RecordValues, 'type' | 'data'>,
  sentence: Sentences,
): string {
  const what = displayName(data);
  switch (type) {
    case 'A':
    case 'AAAA':
      return sentence.address(who, data);
    case 'CNAME':
      return sentence.alias(who, what);
    case 'DNAME':
      return sentence.substitution(who, what);
    case 'MX':
      return sentence.mail(who, what);
    case 'NS':
      return sentence.server(who, what);
    case 'TXT':
      return sentence.text(who);
    default:
      return sentence.other(who, type);
  }
}

/** Returns the mail provider of the record. Undefined for the server in `data`. */
function mailOfProvider({ provider }: RecordValues): string | undefined {
  return provider === NO_MAIL ? NO_MAIL : MAIL_PROVIDERS.find(({ id }) => id === provider)?.name;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Formats a duration, such as `1 hour`, or `90 minutes` for a fraction of hours. */
function formatDuration(seconds: number): string {
  const [unit, length] =
    UNITS.find(([, each]) => seconds >= each && seconds % each === 0) ?? (['second', 1] as const);
  return new Intl.NumberFormat(languageStore.get(), {
    style: 'unit',
    unit,
    unitDisplay: 'long',
  }).format(seconds / length);
}
