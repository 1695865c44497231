import type { Role, RoleAssignment } from '@zonewright/accounts';
import type { Column } from '@zonewright/terminal';

export const ROLE_COLUMNS: readonly Column<Role>[] = [
  { title: 'Id', member: 'id' },
  { title: 'Name', member: 'name' },
  { title: 'Service', member: 'serviceName' },
  { title: 'Created', member: 'createdAt' },
];

export const ROLE_ASSIGNMENT_COLUMNS: readonly Column<RoleAssignment>[] = [
  { title: 'User', member: 'userName' },
  { title: 'Role', member: 'roleName' },
  { title: 'Tenant', member: 'tenantName', none: '(account domain)' },
  { title: 'Since', member: 'createdAt' },
];
