import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { clientOf } from '../api/client.js';
import { keys } from '../api/queries.js';
import { useMessages } from '../messages/language.js';
import { paths } from '../paths/paths.js';
import { Dialog } from '../ui/dialog.js';
import { FailureBanner } from '../ui/failure.js';
import { toUnicodeName } from '../ui/unicode-name.js';
import { DOMAIN_TABS } from './domain-frame.js';
import { MESSAGES } from './messages.js';
import styles from './palette.module.css';

interface Target {
  readonly href: string;
  readonly text: string;
  /** What it is, or where. */
  readonly hint: string;
}

const MOST = 12;

interface PaletteProps {
  readonly projectId: string;
  readonly onClose: () => void;
}

/** Goes to a screen, a domain or a record by a part of its name (WAI-ARIA APG, combobox with a list). */
export function Palette({ projectId, onClose }: PaletteProps) {
  const t = useMessages(MESSAGES);
  const listId = useId();
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const { found, error } = useFound(projectId, wanted);
  const targets = [
    ...useScreens(projectId).filter((each) => each.text.toLowerCase().includes(wanted)),
    ...found,
  ].slice(0, MOST);
  const current = Math.min(at, targets.length - 1);
  const go = (target: Target | undefined) => {
    if (target === undefined) return;
    onClose();
    navigate(target.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((current + step + targets.length) % Math.max(targets.length, 1));
    else if (event.key === 'Enter') go(targets[current]);
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
        aria-expanded={targets.length > 0}
        aria-controls={listId}
        aria-activedescendant={targets.length === 0 ? undefined : `${listId}-${current}`}
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
        {targets.map((target, index) => (
          <li
            key={`${target.href} ${target.text} ${target.hint}`}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === current}
            onClick={() => {
              go(target);
            }}
          >
            <span className={styles['text']}>{target.text}</span>
            <small>{target.hint}</small>
          </li>
        ))}
      </ul>
      {targets.length === 0 && <p>{t.nothingFound}</p>}
    </Dialog>
  );
}

const SCREENS = ['domains', 'keys', 'usage', 'members', 'account'] as const;

/** Of the domain that is seen first, then those of the project. */
function useScreens(projectId: string): readonly Target[] {
  const t = useMessages(MESSAGES);
  const [location] = useLocation();
  const name = /^\/p\/[^/]+\/domains\/([^/]+)/.exec(location)?.[1];
  const domain = name === undefined ? undefined : decodeURIComponent(name);
  return [
    ...(domain === undefined
      ? []
      : DOMAIN_TABS.map((tab) => ({
          href: paths[tab](projectId, domain),
          text: t[tab],
          hint: toUnicodeName(domain),
        }))),
    ...SCREENS.map((screen) => ({ href: paths[screen](projectId), text: t[screen], hint: '' })),
  ];
}

function useFound(projectId: string, q: string) {
  const t = useMessages(MESSAGES);
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
      ...data.domains.map(({ name }) => ({
        href: paths.records(projectId, name),
        text: plain(name),
        hint: t.domain,
      })),
      ...data.records.map(({ name, type, data: value, domain_name: domain }) => ({
        href: `${paths.records(projectId, domain)}?q=${encodeURIComponent(name.replace(/\.$/, ''))}`,
        text: `${plain(name)} ${type} ${value}`,
        hint: plain(domain),
      })),
    ],
  };
}

/** Ctrl-K, or Command-K, anywhere. */
export function usePaletteKey(onOpen: () => void): void {
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      // What is open already has its own end.
      if (document.querySelector('dialog[open]') === null) onOpen();
    };
    window.addEventListener('keydown', listen);
    return () => {
      window.removeEventListener('keydown', listen);
    };
  }, [onOpen]);
}
