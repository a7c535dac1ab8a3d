import type { Route } from '../route.ts';
import { linkHeader } from './link-header.ts';
import { linksOf } from './links.ts';

export const entry: Route[] = [
  {
    method: 'GET',
    path: '/',
    auth: 'checked',
    accept: 'any',
    summary: 'Where everything is; checks the token when there is one',
    handle: (ctx) => ({ status: 204, headers: { link: linkHeader(linksOf(ctx)) } }),
  },
  {
    method: 'GET',
    path: '/ping',
    auth: 'none',
    accept: 'any',
    summary: 'Whether the gateway answers',
    handle: () => ({ status: 200, body: {} }),
  },
];
