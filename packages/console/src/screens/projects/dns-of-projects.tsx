import { useQuery } from '@tanstack/react-query';
import type { Output } from '@zonewright/client';
import { useCallback, useState } from 'react';
import { clientOf } from '../../api/client.js';
import { keys, projectQuery } from '../../api/queries.js';
import { refetch } from '../../api/query-client.js';
import type { ProjectScreenProps } from '../../shell/screen-props.js';
import { useMessages } from '../../state/language.js';
import { FailureBanner } from '../../ui/banner.js';
import { Button } from '../../ui/button.js';
import { SearchBox } from '../../ui/field.js';
import { Card, Pill } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { Table } from '../../ui/table.js';
import { showUndo } from '../../ui/toasts.js';
import { useAction } from '../../ui/use-action.js';
import { ADMINISTRATORS } from './members.js';
import { MESSAGES } from './operator-messages.js';

/** Projects that are listed at a time; the name finds the others. */
const MAX_ROWS = 20;

type Project = Output<'listAllProjectsV3'>['projects'][number];

/** Project, and whether it has DNS. */
interface Row {
  readonly project: Pick<Project, 'id' | 'name'>;
  readonly endpointId: string;
  readonly isActive: boolean;
}

const keyOf = (projectId: string) => [...keys.project(projectId), 'dns of projects'];

/** Activates and ends DNS for the projects that the user administers. Shown to nobody else. */
export function DnsOfProjects({ projectId }: ProjectScreenProps) {
  const t = useMessages(MESSAGES);
  const [name, setName] = useState('');
  const { data: access } = useQuery(projectQuery(projectId));
  const isAdministrator = access?.roles.some((role) => ADMINISTRATORS.includes(role)) === true;
  const { data: endpointId } = useQuery({
    queryKey: [...keys.project(projectId), 'dns endpoint'],
    enabled: isAdministrator,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => await findEndpoint(projectId, signal),
  });
  const query = useQuery({
    queryKey: [...keyOf(projectId), endpointId, name.trim()],
    enabled: typeof endpointId === 'string',
    queryFn: async ({ signal }) =>
      await listRows(projectId, { endpointId: endpointId ?? '', name: name.trim() }, signal),
  });
  if (typeof endpointId !== 'string') return null;
  return (
    <Card title={t.dns}>
      <p>{t.dnsText}</p>
      <SearchBox label={t.findProject} value={name} onChange={setName} />
      <QueryView query={query}>
        {(rows) => <Projects projectId={projectId} rows={rows} />}
      </QueryView>
    </Card>
  );
}

function Projects({ projectId, rows }: ProjectScreenProps & { readonly rows: readonly Row[] }) {
  const t = useMessages(MESSAGES);
  const action = useAction(
    useCallback(
      async (row: Row) => {
        await setActive(projectId, row, !row.isActive);
        const text = row.isActive ? t.dnsEnded(row.project.name) : t.dnsActive(row.project.name);
        showUndo(text, () => setActive(projectId, row, row.isActive));
      },
      [projectId, t],
    ),
  );
  return (
    <>
      {action.error !== undefined && <FailureBanner error={action.error} />}
      <Table
        caption={t.dns}
        rows={rows}
        keyOf={({ project }) => project.id}
        columns={[
          { title: t.project, cell: ({ project }) => <strong>{project.name}</strong> },
          {
            title: t.status,
            cell: ({ isActive }) =>
              isActive ? <Pill tone="good">{t.active}</Pill> : <Pill>{t.inactive}</Pill>,
          },
          {
            title: t.change,
            cell: (row) => (
              <Button
                aria-label={
                  row.isActive ? t.endFor(row.project.name) : t.activateFor(row.project.name)
                }
                isBusy={action.isBusy}
                onClick={() => void action.run(row)}
              >
                {row.isActive ? t.end : t.activate}
              </Button>
            ),
          },
        ]}
      />
    </>
  );
}

/** Returns the id of an endpoint of the DNS service. Null if the catalog has none. */
async function findEndpoint(projectId: string, signal: AbortSignal): Promise<string | null> {
  const client = clientOf(projectId);
  const { services } = (await client.call('listServicesV3', {}, { signal })).value;
  const service = services.find(({ types }) => types.some((type) => /(^|:)dns$/.test(type)));
  const query = { service_id: service?.id ?? '' };
  const { endpoints } = (await client.call('listEndpointsV3', { query }, { signal })).value;
  return endpoints[0]?.id ?? null;
}

/** Lists the first projects, by id. A project with DNS among them is among the first with DNS, too. */
async function listRows(
  projectId: string,
  { endpointId, name }: { readonly endpointId: string; readonly name: string },
  signal: AbortSignal,
): Promise<Row[]> {
  const client = clientOf(projectId);
  const query = { limit: MAX_ROWS, ...(name === '' ? {} : { name__icontains: name }) };
  const path = { endpointId };
  const [all, active] = await Promise.all([
    client.call('listAllProjectsV3', { query }, { signal }),
    client.call('listProjectsOfEndpointV3', { path, query }, { signal }),
  ]);
  const activeIds = new Set(active.value.projects.map(({ id }) => id));
  return all.value.projects.map((project) => ({
    ...{ project, endpointId, isActive: activeIds.has(project.id) },
  }));
}

async function setActive(
  projectId: string,
  { project, endpointId }: Row,
  isActive: boolean,
): Promise<void> {
  const input = { path: { projectId: project.id, endpointId } };
  const operation = isActive ? 'addEndpointToProjectV3' : 'removeEndpointFromProjectV3';
  await clientOf(projectId).call(operation, input);
  await refetch(keyOf(projectId));
}
