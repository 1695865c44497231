import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import type { DomainScreenProps, ProjectScreenProps } from './shell/screen-props.js';

type Lazy<P> = LazyExoticComponent<ComponentType<P>>;

const importers: (() => Promise<unknown>)[] = [];

/** Returns a screen that is loaded when it is first shown. */
function load<P>(importing: () => Promise<ComponentType<P>>): Lazy<P> {
  importers.push(importing);
  return lazy(async () => ({ default: await importing() }));
}

/** Loads the other screens after the first one, so that they also work without a network later. */
export async function loadAllScreens(): Promise<void> {
  // A screen that fails to load is loaded again when it is opened, and its error is shown then.
  for (const importing of importers) await importing().catch(() => undefined);
}

/** Screens below `/p/{projectId}/`, by the rest of the path. */
export const PROJECT_SCREENS: Readonly<Record<string, Lazy<ProjectScreenProps>>> = {
  domains: load(async () => (await import('./screens/domains/domains-screen.js')).DomainsScreen),
  keys: load(async () => (await import('./screens/keys/keys-screen.js')).KeysScreen),
  account: load(async () => (await import('./screens/account/account-screen.js')).AccountScreen),
  members: load(async () => (await import('./screens/projects/members-screen.js')).MembersScreen),
  operator: load(
    async () => (await import('./screens/projects/operator-screen.js')).OperatorScreen,
  ),
  usage: load(async () => (await import('./screens/projects/usage-screen.js')).UsageScreen),
};

/** Screens below `/p/{projectId}/domains/{name}`. The screen of the records has no path segment. */
export const DOMAIN_SCREENS: Readonly<Record<string, Lazy<DomainScreenProps>>> = {
  records: load(async () => (await import('./screens/records/records-screen.js')).RecordsScreen),
  history: load(async () => (await import('./screens/history/history-screen.js')).HistoryScreen),
  publish: load(async () => (await import('./screens/checks/publish-screen.js')).PublishScreen),
  health: load(async () => (await import('./screens/checks/health-screen.js')).HealthScreen),
  test: load(async () => (await import('./screens/checks/test-screen.js')).TestScreen),
  settings: load(
    async () => (await import('./screens/settings/settings-screen.js')).SettingsScreen,
  ),
};
