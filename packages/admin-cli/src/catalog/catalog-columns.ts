import type { Activation, Endpoint, Service } from '@zonewright/accounts';
import type { Column } from '@zonewright/terminal';

export const SERVICE_COLUMNS: readonly Column<Service>[] = [
  { title: 'Id', member: 'id' },
  { title: 'Name', member: 'name' },
  { title: 'Types', member: 'types' },
  { title: 'Global', member: 'isGlobal' },
  { title: 'Enabled', member: 'enabled' },
  { title: 'Required roles', member: 'requiredRoles', none: '(none)' },
  { title: 'Created', member: 'createdAt', isDetail: true },
];

export const ENDPOINT_COLUMNS: readonly Column<Endpoint>[] = [
  { title: 'Id', member: 'id' },
  { title: 'Service', member: 'serviceName' },
  { title: 'Region', member: 'region' },
  { title: 'Public URL', member: 'publicUrl' },
  { title: 'Public URL 2', member: 'publicUrl2', isDetail: true },
  { title: 'Internal URL', member: 'internalUrl', isDetail: true },
  { title: 'Admin URL', member: 'adminUrl', isDetail: true },
  { title: 'Version id', member: 'versionId', isDetail: true },
  { title: 'Version info', member: 'versionInfo', isDetail: true },
  { title: 'Version list', member: 'versionList', isDetail: true },
  { title: 'State', member: 'releaseState' },
  { title: 'Enabled', member: 'enabled' },
  { title: 'Created', member: 'createdAt', isDetail: true },
];

export const ACTIVATION_COLUMNS: readonly Column<Activation>[] = [
  { title: 'Tenant', member: 'tenantName' },
  { title: 'Service', member: 'serviceName' },
  { title: 'Since', member: 'activatedAt' },
];
