import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { projectQuery } from '../api/queries.js';
import type { Session } from '../api/session.js';
import {
  LANGUAGES,
  type Language,
  languageStore,
  useLanguage,
  useMessages,
} from '../state/language.js';
import { paths } from '../state/paths.js';
import { type Theme, THEMES, themeStore, useStore } from '../state/store.js';
import { Icon, type IconName } from '../ui/icon.js';
import styles from './frame.module.css';
import { leave } from './actions.js';
import { MESSAGES } from './messages.js';
import { Palette, usePaletteKey } from './palette.js';
import { useLiveEvents } from './use-live-events.js';

const OPERATOR_ROLE = 'dns-operator';

interface FrameProps {
  readonly session: Session;
  /** Undefined on the list of projects. */
  readonly projectId: string | undefined;
  readonly children: ReactNode;
}

/** Frame around every screen: the current location, the navigation, and the user. */
export function Frame({ session, projectId, children }: FrameProps) {
  const t = useMessages(MESSAGES);
  const menu = useRef<HTMLElement>(null);
  const [location] = useLocation();
  const [isSearching, setIsSearching] = useState(false);
  const search = useCallback(() => {
    setIsSearching(true);
  }, []);
  usePaletteKey(search);
  useEffect(() => {
    if (menu.current?.matches(':popover-open') === true) menu.current.hidePopover();
    window.scrollTo(0, 0);
  }, [location]);
  return (
    <div className={styles['frame']}>
      <a href="#content" className={styles['skip']}>
        {t.skip}
      </a>
      <header className={styles['bar']}>
        <button
          type="button"
          className={styles['menuButton']}
          popoverTarget="menu"
          aria-label={t.menu}
        >
          <Icon name="menu" size={20} />
        </button>
        <Brand />
      </header>
      <nav ref={menu} id="menu" popover="auto" className={styles['side']} aria-label={t.main}>
        <Brand />
        {projectId !== undefined && (
          <ProjectNav session={session} projectId={projectId} onSearch={search} />
        )}
        <Foot session={session} projectId={projectId} />
      </nav>
      <main id="content" className={styles['content']} tabIndex={-1}>
        {children}
      </main>
      {isSearching && projectId !== undefined && (
        <Palette
          projectId={projectId}
          onClose={() => {
            setIsSearching(false);
          }}
        />
      )}
    </div>
  );
}

function Brand() {
  return (
    <Link href={paths.projects()} className={styles['brand']}>
      <img src="/favicon.svg" alt="" width="26" height="26" />
      Zonewright
    </Link>
  );
}

function ProjectNav({
  session,
  projectId,
  onSearch,
}: {
  readonly session: Session;
  readonly projectId: string;
  readonly onSearch: () => void;
}) {
  const t = useMessages(MESSAGES);
  useLiveEvents(projectId);
  const { data } = useQuery(projectQuery(projectId));
  const name = session.projects.find(({ id }) => id === projectId)?.name ?? projectId;
  return (
    <>
      <Link
        href={session.projects.length > 1 ? paths.projects() : paths.domains(projectId)}
        className={styles['project']}
      >
        <small>{t.project}</small>
        <strong>{name}</strong>
      </Link>
      <button type="button" className={styles['search']} onClick={onSearch}>
        <Icon name="search" />
        <span>{t.palette}</span>
        <kbd aria-hidden="true">{t.paletteKey}</kbd>
      </button>
      <div className={styles['links']}>
        <NavLink href={paths.domains(projectId)} icon="globe" text={t.domains} />
        <NavLink href={paths.keys(projectId)} icon="key" text={t.keys} />
        <NavLink href={paths.usage(projectId)} icon="chart" text={t.usage} />
        <NavLink href={paths.members(projectId)} icon="people" text={t.members} />
        {data?.roles.includes(OPERATOR_ROLE) === true && (
          <NavLink href={paths.operator(projectId)} icon="server" text={t.operator} />
        )}
      </div>
    </>
  );
}

function NavLink({
  href,
  icon,
  text,
}: {
  readonly href: string;
  readonly icon: IconName;
  readonly text: string;
}) {
  const [location] = useLocation();
  const isHere = location === href || location.startsWith(`${href}/`);
  return (
    <Link href={href} className={styles['link']} aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} />
      {text}
    </Link>
  );
}

function Foot({
  session,
  projectId,
}: {
  readonly session: Session;
  readonly projectId: string | undefined;
}) {
  const t = useMessages(MESSAGES);
  const language = useLanguage();
  const theme = useStore(themeStore);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <div className={styles['foot']}>
      <div className={styles['choices']}>
        <select
          aria-label={t.theme}
          value={theme}
          onChange={(event) => {
            themeStore.set(event.target.value as Theme);
          }}
        >
          {THEMES.map((each) => (
            <option key={each} value={each}>
              {t.themes[each]}
            </option>
          ))}
        </select>
        <select
          aria-label={t.language}
          value={language}
          onChange={(event) => {
            languageStore.set(event.target.value as Language);
          }}
        >
          {Object.entries(LANGUAGES).map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div className={styles['who']}>
        {projectId === undefined ? (
          <span className={styles['link']}>
            <Icon name="user" />
            {session.user.name}
          </span>
        ) : (
          <Link
            href={paths.account(projectId)}
            className={styles['link']}
            aria-label={`${t.account}: ${session.user.name}`}
          >
            <Icon name="user" />
            {session.user.name}
          </Link>
        )}
        <button
          type="button"
          className={styles['exit']}
          aria-label={t.logOut}
          title={t.logOut}
          onClick={() => void leave()}
        >
          <Icon name="exit" />
        </button>
      </div>
    </div>
  );
}
