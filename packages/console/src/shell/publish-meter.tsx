import {
  ageOf,
  isLate,
  type Publication,
  type ServerState,
  stateOf,
  usePublication,
} from '../api/publication.js';
import { defineMessages, useMessages } from '../state/language.js';
import { Icon, type IconName } from '../ui/icon.js';
import styles from './publish-meter.module.css';

interface PublishMeterProps {
  readonly projectId: string;
  readonly domainId: string;
  readonly serial: number;
}

/** Shows a mark for each nameserver, and a summary in words. */
export function PublishMeter({ projectId, domainId, serial }: PublishMeterProps) {
  const t = useMessages(MESSAGES);
  const { data } = usePublication(projectId, domainId, serial);
  if (data === undefined) return <div className={styles['meter']} />;
  return (
    <div
      className={`${styles['meter'] ?? ''} ${isLate(data) ? (styles['late'] ?? '') : ''}`}
      title={t.serial(serial)}
    >
      <span className={styles['marks']} aria-hidden="true">
        {data.nameservers.map((server) => (
          <Mark key={server.name} server={server} state={stateOf(server, data)} />
        ))}
      </span>
      <span role="status" className={styles['text']}>
        {sumUp(data, t)}
      </span>
    </div>
  );
}

const ICONS: Readonly<Record<ServerState, IconName | undefined>> = {
  applied: 'check',
  waiting: undefined,
  late: 'clock',
  silent: 'dash',
};

function Mark({
  server,
  state,
}: {
  readonly server: Publication['nameservers'][number];
  readonly state: ServerState;
}) {
  const t = useMessages(MESSAGES);
  const icon = ICONS[state];
  const words = {
    applied: t.applied(server.name, server.delay_ms),
    waiting: t.waitingOne(server.name),
    late: t.lateOne(server.name),
    silent: t.silent(server.name),
  };
  return (
    <span className={`${styles['mark'] ?? ''} ${styles[state] ?? ''}`} title={words[state]}>
      {icon !== undefined && <Icon name={icon} size={12} />}
    </span>
  );
}

function sumUp(publication: Publication, t: (typeof MESSAGES)['en']): string {
  const { state, applied, total, nameservers } = publication;
  if (state === 'published') {
    const delays = nameservers.flatMap(({ delay_ms: ms }) => (ms === null ? [] : [ms]));
    return delays.length === 0
      ? t.publishedPlain(applied, total)
      : t.published(applied, total, Math.round(Math.max(...delays)));
  }
  if (!isLate(publication)) return t.waiting(applied, total);
  const behind = nameservers
    .filter((server) => server.live && !server.applied)
    .map(({ name }) => name);
  return `${t.waiting(applied, total)}; ${t.late(behind.join(', '), Math.round(ageOf(publication) / 1_000))}`;
}

const MESSAGES = defineMessages({
  en: {
    published: (applied: number, total: number, ms: number) =>
      `Published on ${applied} of ${total} nameservers in ${ms} ms`,
    publishedPlain: (applied: number, total: number) =>
      `Published on ${applied} of ${total} nameservers`,
    waiting: (applied: number, total: number) => `Publishing: ${applied} of ${total} nameservers`,
    late: (names: string, seconds: number) => `not yet on ${names} after ${seconds} s`,
    serial: (serial: number) => `Serial ${serial}`,
    applied: (name: string, ms: number | null) =>
      ms === null ? `${name}: published` : `${name}: published after ${ms} ms`,
    lateOne: (name: string) => `${name}: late`,
    waitingOne: (name: string) => `${name}: waiting`,
    silent: (name: string) => `${name}: no response`,
  },
  de: {
    published: (applied: number, total: number, ms: number) =>
      `Nach ${ms} ms auf ${applied} von ${total} Nameservern veröffentlicht`,
    publishedPlain: (applied: number, total: number) =>
      `Auf ${applied} von ${total} Nameservern veröffentlicht`,
    waiting: (applied: number, total: number) =>
      `Wird veröffentlicht: ${applied} von ${total} Nameservern`,
    late: (names: string, seconds: number) => `nach ${seconds} s noch nicht auf ${names}`,
    serial: (serial: number) => `Seriennummer ${serial}`,
    applied: (name: string, ms: number | null) =>
      ms === null ? `${name}: veröffentlicht` : `${name}: nach ${ms} ms veröffentlicht`,
    lateOne: (name: string) => `${name}: verspätet`,
    waitingOne: (name: string) => `${name}: wartet`,
    silent: (name: string) => `${name}: keine Rückmeldung`,
  },
});
