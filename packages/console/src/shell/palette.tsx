import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { clientOf } from '../api/client.js';
import { domainQuery, keys } from '../api/queries.js';
import { useMessages } from '../state/language.js';
import { paths, readSegment } from '../state/paths.js';
import { Dialog } from '../ui/dialog.js';
import { FailureBanner } from '../ui/banner.js';
import { toUnicodeName } from '../ui/unicode-name.js';
import { type Choice, useActions } from './actions.js';
import { DOMAIN_TABS } from './domain-frame.js';
import { MESSAGES } from './messages.js';
import styles from './palette.module.css';

/** Maximum number of search results of domains. */
const MOST = 12;

interface PaletteProps {
  readonly projectId: string;
  readonly onClose: () => void;
}

/**
 * Finds screens, domains and records by a part of their name, and runs commands (WAI-ARIA APG, combobox with a list).
 */
export function Palette({ projectId, onClose }: PaletteProps) {
  const t = useMessages(MESSAGES);
  const listId = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const { found, error } = useFound(projectId, wanted);
  const name = useDomainName();
  const { data: domain } = useQuery({
    ...domainQuery(projectId, name ?? ''),
    enabled: name !== undefined,
  });
  const own = [...useScreens(projectId, name), ...useActions(projectId, domain ?? undefined)];
  const choices = [
    ...own.filter((each) => each.text.toLowerCase().includes(wanted)),
    ...found.slice(0, MOST),
  ];
  const current = Math.min(at, choices.length - 1);
  const choose = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    onClose();
    choice.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((current + step + choices.length) % Math.max(choices.length, 1));
    else if (event.key === 'Enter') choose(choices[current]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t.palette} onClose={onClose}>
      <input
        className={styles['input']}
        type="text"
        role="combobox"
        aria-label={t.paletteHint}
        aria-expanded={choices.length > 0}
        aria-controls={listId}
        aria-activedescendant={choices.length === 0 ? undefined : `${listId}-${current}`}
        placeholder={t.paletteHint}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
      />
      {error !== null && <FailureBanner error={error} />}
      <ul id={listId} role="listbox" aria-label={t.palette} className={styles['list']}>
        {choices.map((choice, index) => (
          <li
            key={`${index} ${choice.text} ${choice.hint}`}
            ref={index === current ? keepInSight : undefined}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === current}
            onClick={() => {
              choose(choice);
            }}
          >
            <span className={styles['text']}>{choice.text}</span>
            <small>{choice.hint}</small>
          </li>
        ))}
      </ul>
      {choices.length === 0 && <p>{t.nothingFound}</p>}
    </Dialog>
  );
}

const SCREENS = ['domains', 'keys', 'usage', 'members', 'account'] as const;

const keepInSight = (option: HTMLElement | null) => {
  option?.scrollIntoView({ block: 'nearest' });
};

/** Returns the name of the open domain. Undefined if none is open. */
function useDomainName(): string | undefined {
  const [location] = useLocation();
  const name = /^\/p\/[^/]+\/domains\/([^/]+)/.exec(location)?.[1];
  return name === undefined ? undefined : readSegment(name);
}

/** Returns the screens of the open domain, then those of the project. */
function useScreens(projectId: string, domain: string | undefined): readonly Choice[] {
  const t = useMessages(MESSAGES);
  const toChoice = useToChoice();
  return [
    ...(domain === undefined
      ? []
      : DOMAIN_TABS.map((tab) =>
          toChoice(paths[tab](projectId, domain), t[tab], toUnicodeName(domain)),
        )),
    ...SCREENS.map((screen) => toChoice(paths[screen](projectId), t[screen], '')),
  ];
}

function useToChoice() {
  const [, navigate] = useLocation();
  return (href: string, text: string, hint: string): Choice => ({
    text,
    hint,
    run: () => {
      navigate(href);
    },
  });
}

function useFound(projectId: string, q: string) {
  const t = useMessages(MESSAGES);
  const toChoice = useToChoice();
  const { data, error } = useQuery({
    queryKey: [...keys.domains(projectId), 'palette', q],
    queryFn: async ({ signal }) =>
      (await clientOf(projectId).call('search', { query: { q, limit: MOST } }, { signal })).value,
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
  if (data === undefined || q === '') return { found: [], error };
  const plain = (name: string) => toUnicodeName(name.replace(/\.$/, ''));
  return {
    error,
    found: [
      ...data.domains.map(({ name }) =>
        toChoice(paths.records(projectId, name), plain(name), t.domain),
      ),
      ...data.records.map(({ name, type, data: value, domain_name: domain }) =>
        toChoice(
          `${paths.records(projectId, domain)}?q=${encodeURIComponent(name.replace(/\.$/, ''))}`,
          `${plain(name)} ${type} ${value}`,
          plain(domain),
        ),
      ),
    ],
  };
}

/** Calls `onOpen` for Ctrl-K or Command-K, anywhere. */
export function usePaletteKey(onOpen: () => void): void {
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      // An open dialog keeps the focus.
      if (document.querySelector('dialog[open]') === null) onOpen();
    };
    window.addEventListener('keydown', listen);
    return () => {
      window.removeEventListener('keydown', listen);
    };
  }, [onOpen]);
}
