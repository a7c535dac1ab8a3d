import { describeMessages } from './discovery/asyncapi.ts';
import { describeApi, documentErrors } from './discovery/documents.ts';
import { ruleOf } from '../operators/rule.ts';
import type { Route } from './request/route.ts';
import { CLIENT, ENTRY, SERVER, type Row } from './table.ts';

const CLIENT_ROUTES = CLIENT.map(toRoute);

const API: readonly Route[] = [
  ...ENTRY.map(toRoute),
  ...SERVER.map(toRoute).map(ofApp),
  ...CLIENT_ROUTES,
  ...CLIENT_ROUTES.filter(isOfUser).map(asUser),
];

const DOCUMENTS: readonly Row[] = [
  ['GET', '/docs/errors', 'none', null, documentErrors, 'What errors mean', { accept: 'any' }],
  [
    'GET',
    '/openapi.json',
    'none',
    null,
    describeApi(() => ROUTES),
    'The API as an OpenAPI document',
    { accept: 'any' },
  ],
  [
    'GET',
    '/asyncapi.json',
    'none',
    null,
    describeMessages(),
    'WebSocket packets and events as an AsyncAPI document',
    { accept: 'any' },
  ],
];

/** The whole public API. Of two routes that fit a request the first serves it. docs/protocol/requests.md#acting-as-a-user */
export const ROUTES: readonly Route[] = [...API, ...DOCUMENTS.map(toRoute)];

function toRoute([method, path, auth, rule, handle, summary, options]: Row): Route {
  const operator = rule === null ? undefined : ruleOf(rule, method !== 'GET');
  return { method, path, auth, operator, summary, handle, ...options };
}

function ofApp(route: Route): Route {
  return { ...route, path: `/apps/:app_uuid${route.path}` };
}

function isOfUser(route: Route): boolean {
  return route.auth === 'session';
}

/** A person of the console who acts as a user leaves an entry, whatever it shows. */
function asUser(route: Route): Route {
  const { operator, method } = route;
  return {
    ...route,
    operator: operator && { ...operator, recorded: method === 'GET' ? 'read' : 'call' },
    path: `/apps/:app_uuid/users/:as_user_id${route.path}`,
    auth: 'bearer',
    describedAs: `${route.method} ${route.path}`,
  };
}
