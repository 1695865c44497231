import { useQuery } from '@tanstack/react-query';
import { compareAnswers, type Output } from '@zonewright/client';
import { useState } from 'react';
import { clientOf } from '../../api/client.js';
import { keys } from '../../api/queries.js';
import { defineMessages, useMessages } from '../../state/language.js';
import type { DomainScreenProps } from '../../shell/screen-props.js';
import { Banner } from '../../ui/banner.js';
import { Button, CopyButton } from '../../ui/button.js';
import { Checkbox, TextField } from '../../ui/field.js';
import { Card, Page, Pill } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { Table } from '../../ui/table.js';
import { COMMON_TYPES } from '../records/record-text.js';
import styles from './test.module.css';

const MESSAGES = defineMessages({
  en: {
    title: 'Query nameservers',
    description: 'The current answers from each nameserver, queried over DNS.',
    name: 'Name',
    nameHint: (domain: string) => `Empty means ${domain}`,
    type: 'Type',
    dnssec: 'With DNSSEC signatures',
    tcp: 'Over TCP',
    authority: 'Authority section',
    missing: 'missing',
    extra: 'only here',
    ask: 'Query',
    answers: (name: string, type: string) => `${name} ${type}`,
    same: (count: number) => `All answers are identical (${count}).`,
    differ: 'The answers differ',
    differText: 'A change may not be published everywhere yet. Query again in a moment.',
    nobody: 'No nameserver responds. Query again in a moment.',
    server: 'Nameserver',
    status: 'Status',
    answer: 'Answer',
    after: 'Response time',
    empty: 'no records',
    other: 'differs',
    none: 'no answer',
    yourself: 'Terminal command:',
  },
  de: {
    title: 'Nameserver abfragen',
    description: 'Die aktuellen Antworten aller Nameserver, über DNS abgefragt.',
    name: 'Name',
    nameHint: (domain: string) => `Leer bedeutet ${domain}`,
    type: 'Typ',
    dnssec: 'Mit DNSSEC-Signaturen',
    tcp: 'Über TCP',
    authority: 'Authority-Abschnitt',
    missing: 'fehlt',
    extra: 'nur hier',
    ask: 'Abfragen',
    answers: (name: string, type: string) => `${name} ${type}`,
    same: (count: number) => `Alle Antworten sind identisch (${count}).`,
    differ: 'Die Antworten unterscheiden sich',
    differText:
      'Eine Änderung ist vielleicht noch nicht überall veröffentlicht. Wiederholen Sie die Abfrage in Kürze.',
    nobody: 'Kein Nameserver antwortet. Wiederholen Sie die Abfrage in Kürze.',
    server: 'Nameserver',
    status: 'Status',
    answer: 'Antwort',
    after: 'Antwortzeit',
    empty: 'keine Einträge',
    other: 'weicht ab',
    none: 'keine Antwort',
    yourself: 'Befehl für das Terminal:',
  },
});

/** Types to choose from. Any other can be typed. */
const TYPES = [
  ...COMMON_TYPES,
  'SOA',
  'DNSKEY',
  'CDS',
  'CDNSKEY',
  'NSEC',
  'NSEC3PARAM',
  'RRSIG',
  'ANY',
];

type Answers = Output<'askNameservers'>;

export function TestScreen({ projectId, domain }: DomainScreenProps) {
  const t = useMessages(MESSAGES);
  const [name, setName] = useState('');
  const [type, setType] = useState('A');
  const [dnssec, setDnssec] = useState(false);
  const [tcp, setTcp] = useState(false);
  const [asked, setAsked] = useState({ name: domain.name, type: 'A', dnssec, tcp });
  const query = useQuery({
    queryKey: [...keys.inDomain(projectId, domain.id), 'answers', asked],
    queryFn: ({ signal }) => clientOf(projectId).domains.ask(domain.id, asked, { signal }),
    staleTime: 0,
  });
  const ask = () => {
    const kind = type.trim().toUpperCase() || 'A';
    const wanted = { name: fullName(name.trim(), domain.name), type: kind, dnssec, tcp };
    if (JSON.stringify(wanted) === JSON.stringify(asked)) void query.refetch();
    else setAsked(wanted);
  };
  return (
    <Page
      title={t.title}
      tabTitle={`${t.title}: ${domain.name.replace(/\.$/, '')}`}
      description={t.description}
      level={2}
    >
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <TextField
          label={t.name}
          hint={t.nameHint(domain.name)}
          isMono
          value={name}
          suffix={`.${domain.name.replace(/\.$/, '')}`}
          onChange={(event) => {
            setName(event.target.value);
          }}
        />
        <TextField
          label={t.type}
          isMono
          list="query-types"
          autoCapitalize="characters"
          value={type}
          onChange={(event) => {
            setType(event.target.value);
          }}
        />
        <datalist id="query-types">
          {TYPES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </datalist>
        <div className={styles['switches']}>
          <Checkbox
            label={t.dnssec}
            checked={dnssec}
            onChange={(event) => {
              setDnssec(event.target.checked);
            }}
          />
          <Checkbox
            label={t.tcp}
            checked={tcp}
            onChange={(event) => {
              setTcp(event.target.checked);
            }}
          />
        </div>
        <Button type="submit" kind="primary" isBusy={query.isFetching}>
          {t.ask}
        </Button>
      </form>
      <Card title={t.answers(asked.name, asked.type)}>
        <QueryView query={query}>
          {(answers) => (
            <>
              <Summary answers={answers} />
              <AnswerTable answers={answers} />
              <AskYourself answers={answers} options={asked} />
            </>
          )}
        </QueryView>
      </Card>
    </Page>
  );
}

/** Accepts relative and absolute names. */
function fullName(text: string, domain: string): string {
  if (text === '' || text === '@') return domain;
  const name = text.endsWith('.') ? text : `${text}.`;
  return name === domain || name.endsWith(`.${domain}`) ? name : `${name}${domain}`;
}

function Summary({ answers: { nameservers } }: { readonly answers: Answers }) {
  const t = useMessages(MESSAGES);
  const count = nameservers.filter(({ transport }) => transport !== null).length;
  if (count === 0) return <Banner tone="bad" title={t.nobody} />;
  return nameservers.some(({ differs }) => differs) ? (
    <Banner tone="warn" title={t.differ}>
      {t.differText}
    </Banner>
  ) : (
    <Banner tone="good">{t.same(count)}</Banner>
  );
}

/** Shows the same query as a command. An address may have a port. */
function AskYourself({
  answers: { name, type, nameservers },
  options: { dnssec, tcp },
}: {
  readonly answers: Answers;
  readonly options: { readonly dnssec: boolean; readonly tcp: boolean };
}) {
  const t = useMessages(MESSAGES);
  const address = nameservers.find((server) => server.address !== null)?.address ?? undefined;
  if (address === undefined) return null;
  const [, host = address, port] = /^\[?([^\]]*?)\]?:(\d+)$/.exec(address) ?? [];
  const isPortGiven = port !== undefined && (host.includes('.') || address.startsWith('['));
  const at = isPortGiven ? `@${host} -p ${port}` : `@${address}`;
  const flags = `${dnssec ? ' +dnssec' : ''}${tcp ? ' +tcp' : ''}`;
  const command = `dig ${at} ${name} ${type}${flags}`;
  return (
    <div className={styles['yourself']}>
      <span>{t.yourself}</span> <code>{command}</code> <CopyButton text={command} />
    </div>
  );
}

function AnswerTable({ answers: { name, type, nameservers } }: { readonly answers: Answers }) {
  const t = useMessages(MESSAGES);
  return (
    <Table
      caption={t.answers(name, type)}
      rows={nameservers}
      keyOf={(server) => server.name}
      columns={[
        { title: t.server, cell: (server) => <code>{server.name}</code> },
        {
          title: t.status,
          cell: ({ status, differs, transport }) => (
            <>
              <Pill tone={transport === null ? 'bad' : status === 'NOERROR' ? 'good' : 'warn'}>
                {transport === null ? t.none : status}
              </Pill>{' '}
              {differs && <Pill tone="warn">{t.other}</Pill>}
            </>
          ),
        },
        {
          title: t.answer,
          cell: (server) => <Answer server={server} all={nameservers} />,
        },
        {
          title: t.after,
          isNumber: true,
          cell: ({ milliseconds }) => (milliseconds === null ? '–' : `${milliseconds} ms`),
        },
      ]}
    />
  );
}

type Server = Answers['nameservers'][number];

function Answer({ server, all }: { readonly server: Server; readonly all: readonly Server[] }) {
  const t = useMessages(MESSAGES);
  const { records, authority, transport } = server;
  const { missing, extra } = compareAnswers(server, all);
  const isExtra = new Set(extra);
  const line = (record: Server['records'][number], owner = '') => (
    <code>{`${owner}${record.ttl} ${record.type} ${record.data}`}</code>
  );
  return (
    <>
      {records.length === 0 && (
        <span className={styles['empty']}>{transport === null ? '–' : t.empty}</span>
      )}
      <ul className={styles['records']}>
        {records.map((record) => (
          <li key={`${record.name} ${record.type} ${record.data}`}>
            {line(record)} {isExtra.has(record) && <Pill tone="warn">{t.extra}</Pill>}
          </li>
        ))}
        {missing.map((record) => (
          <li key={`missing ${record.name} ${record.type} ${record.data}`}>
            <del>{line(record)}</del> <Pill tone="warn">{t.missing}</Pill>
          </li>
        ))}
      </ul>
      {records.length === 0 && authority.length > 0 && (
        <ul className={styles['records']} aria-label={t.authority}>
          {authority.map((record) => (
            <li key={`${record.name} ${record.type} ${record.data}`}>
              {line(record, `${record.name} `)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
