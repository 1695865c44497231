import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { Component, type ReactNode, Suspense, useEffect } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { sessionQuery } from './api/queries.js';
import { queryClient } from './api/query-client.js';
import { type Session, sessionStateStore } from './api/session.js';
import { DOMAIN_SCREENS, loadAllScreens, PROJECT_SCREENS } from './routes.js';
import { LogInDialog, LogInScreen } from './screens/account/log-in.js';
import { ProjectsScreen } from './screens/projects/projects-screen.js';
import { DomainFrame } from './shell/domain-frame.js';
import { Frame } from './shell/frame.js';
import { MESSAGES } from './shell/messages.js';
import { languageStore, useMessages } from './state/language.js';
import { paths, readSegment } from './state/paths.js';
import { SHARED } from './state/shared-messages.js';
import { useStore } from './state/store.js';
import { Banner } from './ui/banner.js';
import { Button } from './ui/button.js';
import { EmptyState } from './ui/page.js';
import { Loading, QueryView } from './ui/query-view.js';
import { Toasts } from './ui/toasts.js';

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <ErrorBoundary>
        <Gate />
      </ErrorBoundary>
      <Toasts />
    </QueryClientProvider>
  );
}

/** Shows the login instead of a screen if nobody is logged in. */
function Gate() {
  const query = useQuery(sessionQuery);
  const state = useStore(sessionStateStore);
  return (
    <QueryView query={query}>
      {(session) =>
        session === null ? (
          <LogInScreen />
        ) : (
          <>
            <Screens session={session} />
            {state === 'ended' && <LogInDialog session={session} />}
          </>
        )
      }
    </QueryView>
  );
}

/** Delay in milliseconds, after the first screen has sent its queries. */
const LATER_MS = 2_000;

function Screens({ session }: { readonly session: Session }) {
  useEffect(() => {
    const timer = setTimeout(() => void loadAllScreens(), LATER_MS);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  return (
    <Switch>
      <Route path="/p/:projectId/domains/:name/:screen?">
        {({ projectId, name, screen = 'records' }) => (
          <Frame session={session} projectId={projectId}>
            <DomainFrame projectId={projectId} name={readSegment(name)}>
              {(domain) => {
                const Screen = DOMAIN_SCREENS[screen];
                return Screen === undefined ? (
                  <NotFound />
                ) : (
                  <Suspense fallback={<Loading />}>
                    {/* Input belongs to one domain, so the key resets the screen. */}
                    <Screen key={domain.id} projectId={projectId} domain={domain} />
                  </Suspense>
                );
              }}
            </DomainFrame>
          </Frame>
        )}
      </Route>
      <Route path="/p/:projectId/:screen">
        {({ projectId, screen }) => {
          const Screen = PROJECT_SCREENS[screen];
          return (
            <Frame session={session} projectId={projectId}>
              {Screen === undefined ? (
                <NotFound />
              ) : (
                <Suspense fallback={<Loading />}>
                  <Screen key={projectId} projectId={projectId} />
                </Suspense>
              )}
            </Frame>
          );
        }}
      </Route>
      <Route path="/">
        <Home session={session} />
      </Route>
      <Route>
        <Frame session={session} projectId={session.projects[0]?.id}>
          <NotFound />
        </Frame>
      </Route>
    </Switch>
  );
}

/** Opens the project at once if the user has only one. */
function Home({ session }: { readonly session: Session }) {
  const [, navigate] = useLocation();
  const only = session.projects.length === 1 ? session.projects[0] : undefined;
  useEffect(() => {
    if (only !== undefined) navigate(paths.domains(only.id), { replace: true });
  }, [only, navigate]);
  if (only !== undefined) return null;
  return (
    <Frame session={session} projectId={undefined}>
      <ProjectsScreen session={session} />
    </Frame>
  );
}

function NotFound() {
  const t = useMessages(MESSAGES);
  return <EmptyState title={t.notFound} />;
}

/** Catches a programming error in a page and shows it with a report to copy. */
class ErrorBoundary extends Component<
  { readonly children: ReactNode },
  { readonly error: unknown }
> {
  override state: { readonly error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const t = SHARED[languageStore.get()];
    const what = error instanceof Error ? `${error.name}: ${error.message}` : 'not an Error';
    const details = `${what}\n${location.pathname}`;
    return (
      <Banner
        tone="bad"
        title={t.broken}
        actions={
          <>
            <Button onClick={() => void navigator.clipboard.writeText(details)}>
              {t.copyDetails}
            </Button>
            <Button
              onClick={() => {
                location.reload();
              }}
            >
              {t.reload}
            </Button>
          </>
        }
      />
    );
  }
}
