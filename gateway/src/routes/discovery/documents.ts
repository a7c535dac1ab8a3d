import { errorsPage } from './errors-page.ts';
import { openApi } from './openapi.ts';
import type { Handler, Route } from '../request/route.ts';
import type { HttpResponse } from '../../responses/response.ts';

/** GET /docs/errors */
export function documentErrors(): HttpResponse {
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff' },
    text: errorsPage(),
  };
}

/** GET /openapi.json, which describes the routes of `api`. */
export function describeApi(api: readonly Route[]): Handler {
  return (ctx) => ({ status: 200, body: openApi(ctx, api) });
}
