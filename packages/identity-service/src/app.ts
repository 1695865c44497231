import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { HttpError } from './http/http-error.js';
import {
  type EndpointDependencies,
  type Exchange,
  serveError,
  serveRoute,
} from './http/request-endpoint.js';
import type { Route } from './http/route.js';
import { pathsOf } from './http/route-paths.js';
import { ROUTES } from './routes.js';

/** The HTTP application: every row of the route table, 405 beside them, 404 for the rest. */
export function createApp(dependencies: EndpointDependencies): Express {
  const { extensionAliases } = dependencies.context.settings;
  const app = express();
  app.disable('x-powered-by');
  app.set('case sensitive routing', true);
  app.set('query parser', false);
  const routes = ROUTES.flatMap((route) =>
    pathsOf(route, extensionAliases).map((path) => ({ ...route, path })),
  );
  for (const [path, methods] of groupByPath(routes)) {
    for (const route of headFirst(methods)) addRoute(app, dependencies, route);
    addMethodRefusal(app, dependencies, path, methods);
  }
  app.use((request: Request, response: Response) =>
    serveError(dependencies, new HttpError(404, 'no such resource'), toExchange(request, response)),
  );
  // Express knows an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) next(error);
    else void serveError(dependencies, error, toExchange(request, response));
  });
  return app;
}

function groupByPath(routes: readonly Route[]): Map<string, Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) groups.set(route.path, [...(groups.get(route.path) ?? []), route]);
  return groups;
}

/** Express answers HEAD by the first GET or HEAD route it meets. */
function headFirst(routes: readonly Route[]): Route[] {
  return [...routes].sort(
    (one, other) => Number(other.method === 'HEAD') - Number(one.method === 'HEAD'),
  );
}

function addRoute(app: Express, dependencies: EndpointDependencies, route: Route): void {
  const method = route.method.toLowerCase() as Lowercase<Route['method']>;
  app[method](toExpressPath(route.path), (request: Request, response: Response) =>
    serveRoute(dependencies, route, toExchange(request, response)),
  );
}

function addMethodRefusal(
  app: Express,
  dependencies: EndpointDependencies,
  path: string,
  routes: readonly Route[],
): void {
  const methods = new Set<string>(routes.map((route) => route.method));
  // RFC 9110 s9.3.2: whatever answers GET answers HEAD.
  if (methods.has('GET')) methods.add('HEAD');
  const allowed = [...methods].join(', ');
  app.all(toExpressPath(path), (request: Request, response: Response) => {
    const error = new HttpError(405, `allowed here: ${allowed}`, { Allow: allowed });
    return serveError(dependencies, error, toExchange(request, response));
  });
}

function toExchange(request: Request, response: Response): Exchange {
  const params = request.params as Readonly<Record<string, string>>;
  return { request, response, path: request.path, params };
}

function toExpressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
