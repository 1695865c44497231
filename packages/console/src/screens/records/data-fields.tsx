import { useMessages } from '../../state/language.js';
import type { ListedDomain } from '../../api/queries.js';
import { Checkbox, SelectField, TextField } from '../../ui/field.js';
import { MESSAGES } from './messages.js';
import { MAIL_PROVIDERS, NO_MAIL, serversOf } from './plan-new.js';
import { mailOf, serverWithoutAddress } from './plan-new.js';
import { type RecordValues, displayName } from './record-text.js';
import type { ListedRecord } from './use-records.js';
import styles from './record-editor.module.css';

interface DataFieldsProps {
  readonly draft: RecordValues;
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (part: Partial<RecordValues>) => void;
  /** Domain of a new record. Undefined for an existing record. */
  readonly domain?: ListedDomain;
  /** All records of the domain. Undefined if not all of them are loaded. */
  readonly known?: readonly ListedRecord[] | undefined;
}

/** Form fields for the data of a record type. */
export function DataFields(props: DataFieldsProps) {
  switch (props.draft.type) {
    case 'MX':
      return <MailFields {...props} />;
    case 'SRV':
      return <ServiceFields {...props} />;
    case 'CAA':
      return <CertificateFields {...props} />;
    default:
      return <PlainField {...props} />;
  }
}

function PlainField({ draft, problems, onChange }: DataFieldsProps) {
  const t = useMessages(MESSAGES);
  const forms: Readonly<Record<string, readonly [string, string]>> = {
    A: [t.address, '192.0.2.1'],
    AAAA: [t.address6, '2001:db8::1'],
    CNAME: [t.target, 'www.example.net'],
    NS: [t.nameserver, 'ns1.example.net'],
    PTR: [t.target, 'host.example.net'],
    DNAME: [t.target, 'example.net'],
    TXT: [t.text, 'v=spf1 -all'],
  };
  const [label, placeholder] = forms[draft.type] ?? [t.data, ''];
  return (
    <div className={styles['data']}>
      <TextField
        label={label}
        isMono
        placeholder={placeholder}
        required
        error={problems['data'] ?? problems['priority']}
        {...(label === t.data ? { hint: t.rawHint } : {})}
        value={draft.data}
        onChange={({ target: { value } }) => {
          onChange({ data: value });
        }}
      />
    </div>
  );
}

function Priority({ draft, problems, onChange }: DataFieldsProps) {
  const t = useMessages(MESSAGES);
  return (
    <div className={styles['small']}>
      <TextField
        label={t.priority}
        isMono
        inputMode="numeric"
        placeholder="10"
        required
        error={problems['priority']}
        value={draft.priority}
        onChange={({ target: { value } }) => {
          onChange({ priority: value });
        }}
      />
    </div>
  );
}

function MailFields(props: DataFieldsProps) {
  const { draft, domain } = props;
  if (domain === undefined) return <MailServer {...props} />;
  const servers = serversOf(draft.provider);
  return (
    <>
      <NewMail {...props} domain={domain} servers={servers} />
      {servers === undefined && <MailServer {...props} />}
    </>
  );
}

interface NewMailProps extends DataFieldsProps {
  readonly domain: ListedDomain;
  readonly servers: ReturnType<typeof serversOf>;
}

/** Fields of a new MX record: mail provider, mail server and its address. */
function NewMail({ draft, onChange, domain, known = [], servers }: NewMailProps) {
  const t = useMessages(MESSAGES);
  const before = mailOf(draft, domain, known);
  const server = servers === undefined ? serverWithoutAddress(draft, domain, known) : undefined;
  return (
    <div className={styles['mail']}>
      <SelectField
        label={t.provider}
        hint={t.providerHint}
        value={draft.provider}
        onChange={({ target: { value } }) => {
          onChange({ provider: value });
        }}
      >
        <option value="">{t.providerOwn}</option>
        {MAIL_PROVIDERS.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value={NO_MAIL}>{t.providerNone}</option>
      </SelectField>
      {server !== undefined && known.length > 0 && (
        <TextField
          label={t.addressOf(displayName(server))}
          hint={t.addressHint}
          isMono
          isOptional
          placeholder="192.0.2.25"
          value={draft.address}
          onChange={({ target: { value } }) => {
            onChange({ address: value });
          }}
        />
      )}
      {servers !== undefined && (
        <div>
          <ul className={styles['servers']} aria-label={t.providerServers}>
            {servers.map(([priority, name]) => (
              <li key={name}>
                {priority} {name}
              </li>
            ))}
          </ul>
          {draft.provider !== NO_MAIL && <p className={styles['hint']}>{t.providerMore}</p>}
        </div>
      )}
      {before.length > 0 && (
        <div className={styles['replaces']}>
          <Checkbox
            label={t.replaces(
              before.map(({ priority, data }) => `${priority} ${displayName(data)}`).join(', '),
            )}
            checked={draft.replaces !== ''}
            onChange={({ target: { checked } }) => {
              onChange({ replaces: checked ? 'yes' : '' });
            }}
          />
        </div>
      )}
    </div>
  );
}

function MailServer(props: DataFieldsProps) {
  const t = useMessages(MESSAGES);
  const { draft, problems, onChange } = props;
  return (
    <>
      <Priority {...props} />
      <div className={styles['data']}>
        <TextField
          label={t.mailServer}
          isMono
          placeholder="mail"
          required
          error={problems['data']}
          value={draft.data}
          onChange={({ target: { value } }) => {
            onChange({ data: value });
          }}
        />
      </div>
    </>
  );
}

function ServiceFields(props: DataFieldsProps) {
  const t = useMessages(MESSAGES);
  const { draft, problems, onChange } = props;
  const [weight = '', port = '', ...rest] = draft.data.split(' ');
  const target = rest.join(' ');
  const field = (label: string, value: string, put: (value: string) => string) => (
    <div className={label === t.target ? styles['data'] : styles['small']}>
      <TextField
        label={label}
        isMono
        required
        {...(label === t.target ? { error: problems['data'] } : {})}
        value={value}
        onChange={(event) => {
          onChange({ data: put(event.target.value.trim()) });
        }}
      />
    </div>
  );
  return (
    <>
      <Priority {...props} />
      {field(t.weight, weight, (value) => `${value} ${port} ${target}`)}
      {field(t.port, port, (value) => `${weight} ${value} ${target}`)}
      {field(t.target, target, (value) => `${weight} ${port} ${value}`)}
    </>
  );
}

const TAGS = ['issue', 'issuewild', 'iodef'];

function CertificateFields({ draft, problems, onChange }: DataFieldsProps) {
  const t = useMessages(MESSAGES);
  const [, flags = '0', tag = 'issue', value = ''] =
    /^(\d*) ?(\w*) ?"?([^"]*)"?$/.exec(draft.data) ?? [];
  const put = (part: { flags?: string; tag?: string; value?: string }) => {
    const next = { flags: flags || '0', tag: tag || 'issue', value, ...part };
    onChange({ data: `${next.flags} ${next.tag} "${next.value}"` });
  };
  return (
    <>
      <div className={styles['small']}>
        <SelectField
          label={t.tag}
          value={tag || 'issue'}
          onChange={(event) => {
            put({ tag: event.target.value });
          }}
        >
          {TAGS.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </SelectField>
      </div>
      <div className={styles['data']}>
        <TextField
          label={t.value}
          isMono
          placeholder="letsencrypt.org"
          required
          error={problems['data']}
          value={value}
          onChange={(event) => {
            put({ value: event.target.value });
          }}
        />
      </div>
    </>
  );
}
