import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { type ListedDomain, useDomain } from '../api/queries.js';
import { useMessages } from '../state/language.js';
import { paths } from '../state/paths.js';
import { EmptyState } from '../ui/page.js';
import { QueryView } from '../ui/query-view.js';
import { toUnicodeName } from '../ui/unicode-name.js';
import styles from './domain-frame.module.css';
import { MESSAGES } from './messages.js';
import { PrimariesBanner } from './primaries-banner.js';

interface DomainFrameProps {
  readonly projectId: string;
  readonly name: string;
  readonly children: (domain: ListedDomain) => ReactNode;
}

/** Frame around the screens of one domain, with its name and tabs. */
export function DomainFrame({ projectId, name, children }: DomainFrameProps) {
  const t = useMessages(MESSAGES);
  const query = useDomain(projectId, name);
  return (
    <div className={styles['domain']}>
      <header className={styles['header']}>
        <Link href={paths.domains(projectId)} className={styles['back']}>
          {t.domains}
        </Link>
        <h1 title={name}>{toUnicodeName(name)}</h1>
        {toUnicodeName(name) !== name && <span className={styles['ascii']}>{name}</span>}
      </header>
      <Tabs projectId={projectId} name={name} />
      <QueryView query={query}>
        {(domain) =>
          domain === null ? (
            <EmptyState
              title={t.noDomain(name)}
              action={<Link href={paths.domains(projectId)}>{t.toDomains}</Link>}
            >
              {t.noDomainText}
            </EmptyState>
          ) : (
            <>
              <PrimariesBanner projectId={projectId} domain={domain} />
              {children(domain)}
            </>
          )
        }
      </QueryView>
    </div>
  );
}

/** Tabs in the order of display. */
export const DOMAIN_TABS = ['records', 'history', 'publish', 'health', 'test', 'settings'] as const;

function Tabs({ projectId, name }: { readonly projectId: string; readonly name: string }) {
  const t = useMessages(MESSAGES);
  const [location] = useLocation();
  return (
    <nav className={styles['tabs']} aria-label={name}>
      {DOMAIN_TABS.map((tab) => {
        const href = paths[tab](projectId, name);
        return (
          <Link key={tab} href={href} aria-current={location === href ? 'page' : undefined}>
            {t[tab]}
          </Link>
        );
      })}
    </nav>
  );
}
