import { errorsPage } from './errors-page.ts';
import { openApi } from './openapi.ts';
import type { Handler, Route } from '../route.ts';

const documentErrors: Handler = () => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff' },
  text: errorsPage(),
});

/** What the API says of itself; `api` are the rows to describe. */
export function documents(api: readonly Route[]): Route[] {
  const describeApi: Handler = (ctx) => ({ status: 200, body: openApi(ctx, api) });
  const open = { method: 'GET', auth: 'none', accept: 'any' } as const;
  return [
    { ...open, path: '/docs/errors', summary: 'What errors mean', handle: documentErrors },
    { ...open, path: '/openapi.json', summary: 'The API as an OpenAPI document', handle: describeApi },
  ];
}
