import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { clientOf } from '../../api/client.js';
import { keys } from '../../api/queries.js';
import type { Project, Session } from '../../api/session.js';
import { count, defineMessages, formatNumber, useMessages } from '../../state/language.js';
import { paths } from '../../state/paths.js';
import { EmptyState, Page } from '../../ui/page.js';
import styles from './projects.module.css';

const MESSAGES = defineMessages({
  en: {
    title: 'Projects',
    description: 'Each project has its own domains, access keys and limits.',
    none: 'No projects yet',
    noneText: 'Ask the administrator of your account for a role in a project.',
    domains: (used: number, most: number) =>
      `${formatNumber(used)} of ${count(most, 'domain', 'domains')}`,
  },
  de: {
    title: 'Projekte',
    description: 'Jedes Projekt hat eigene Domains, Zugangsschlüssel und Limits.',
    none: 'Noch keine Projekte',
    noneText: 'Bitten Sie den Administrator Ihres Kontos um eine Rolle in einem Projekt.',
    domains: (used: number, most: number) =>
      `${formatNumber(used)} von ${count(most, 'Domain', 'Domains')}`,
  },
});

export function ProjectsScreen({ session }: { readonly session: Session }) {
  const t = useMessages(MESSAGES);
  return (
    <Page title={t.title} description={t.description}>
      {session.projects.length === 0 ? (
        <EmptyState title={t.none}>{t.noneText}</EmptyState>
      ) : (
        <ul className={styles['cards']}>
          {session.projects.map((project) => (
            <li key={project.id}>
              <ProjectCard project={project} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

function ProjectCard({ project }: { readonly project: Project }) {
  const t = useMessages(MESSAGES);
  const { data } = useQuery({
    queryKey: [...keys.project(project.id), 'limits'],
    queryFn: async ({ signal }) =>
      (await clientOf(project.id).call('listLimits', { query: { extended: true } }, { signal }))
        .value.limits,
  });
  return (
    <Link href={paths.domains(project.id)} className={styles['card']}>
      <strong>{project.name}</strong>
      <span className={styles['id']}>{project.id}</span>
      <span className={styles['use']}>
        {data?.used === undefined ? ' ' : t.domains(data.used.domains, data.absolute.maxDomains)}
      </span>
    </Link>
  );
}
