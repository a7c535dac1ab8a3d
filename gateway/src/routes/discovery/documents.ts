import type { ErrorDocs } from '@parley/domain/problems';
import { STYLE_POLICY } from './errors-page/style.ts';
import { errorsPage } from './errors-page.ts';
import { openApi } from './openapi.ts';
import type { Handler, Route } from '../request/route.ts';
import type { HttpResponse } from '../../responses/response.ts';
import type { GatewayContext } from '../../context.ts';

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': STYLE_POLICY,
  'x-content-type-options': 'nosniff',
};

/** GET /docs/errors: a page of the documentation, or a page that needs nothing besides itself where that is not there. */
export async function documentErrors({ errorDocs, site }: GatewayContext): Promise<HttpResponse> {
  return (await site.errorsPage()) ?? { status: 200, headers: PAGE_HEADERS, text: pageOf(errorDocs) };
}

/** Written once, since anyone may ask for it. */
const PAGES = new WeakMap<ErrorDocs, string>();

function pageOf(docs: ErrorDocs): string {
  let page = PAGES.get(docs);
  if (page === undefined) PAGES.set(docs, (page = errorsPage(docs.wire, docs.url)));
  return page;
}

/** GET /openapi.json, which describes `routes`. The document is made once, at the first request. */
export function describeApi(routes: () => readonly Route[]): Handler {
  const documents = new WeakMap<GatewayContext, string>();
  return (ctx) => {
    let json = documents.get(ctx);
    if (json === undefined) documents.set(ctx, (json = JSON.stringify(openApi(ctx, routes()))));
    return { status: 200, json };
  };
}
