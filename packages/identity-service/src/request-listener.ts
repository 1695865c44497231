import { normalizeRequestTarget } from '@zonewright/http-api';
import type { RequestListener } from 'node:http';
import { createApp } from './app.js';
import { findDirectRoute } from './direct-routes.js';
import {
  type EndpointDependencies,
  type Exchange,
  serveAtOnce,
  serveError,
  serveRoute,
} from './http/request-endpoint.js';

/** What node:http calls for each request: Express finds the route, except for the few that need no finding. */
export function createRequestListener(dependencies: EndpointDependencies): RequestListener {
  const app = createApp(dependencies);
  return (request, response) => {
    const target = normalizeRequestTarget(request.url ?? '/');
    request.url = target;
    const direct = findDirectRoute(request.method, target);
    if (direct === undefined) {
      app(request, response);
      return;
    }
    const exchange = { request, response, path: target, params: direct.params };
    const fail = (error: unknown) => {
      giveUp(dependencies, error, exchange);
    };
    try {
      if (serveAtOnce(dependencies, direct.route, exchange)) return;
      serveRoute(dependencies, direct.route, exchange).catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

function giveUp(dependencies: EndpointDependencies, error: unknown, exchange: Exchange): void {
  if (exchange.response.headersSent) exchange.response.destroy();
  else void serveError(dependencies, error, exchange);
}
