import type { ErrorDocs } from '@parley/domain/problems';
import { STYLE_POLICY } from './errors-page/style.ts';
import { errorsPage } from './errors-page.ts';
import { jsonDocument } from './json-document.ts';
import { openApi } from './openapi.ts';
import type { ApiRequest, Handler } from '../request/route.ts';
import { createDocument, respondWithDocument, type Document } from '@parley/http/answers/document';
import type { HttpResponse } from '@parley/http/answers/response';
import type { Uses } from '../context.ts';

const HTML = 'text/html; charset=utf-8';
const PAGE_HEADERS = { 'content-security-policy': STYLE_POLICY };

/** GET /docs/errors: a page of the built documentation, or a self-contained page where that is missing. */
export async function documentErrors(
  { errorDocs, errorsPage: findBuilt, config }: Uses<'config' | 'errorDocs' | 'errorsPage'>,
  { headers }: Pick<ApiRequest, 'headers'>,
): Promise<HttpResponse> {
  const built = await findBuilt();
  const { document, headers: further } = built ?? { document: pageOf(errorDocs), headers: PAGE_HEADERS };
  return respondWithDocument(document, { headers, compresses: config.compression, further });
}

/** Each document is made once, since anyone may request it. */
const PAGES = new WeakMap<ErrorDocs, Document>();

function pageOf(docs: ErrorDocs): Document {
  let page = PAGES.get(docs);
  if (!page) PAGES.set(docs, (page = createDocument(errorsPage(docs.wire, docs.url), HTML)));
  return page;
}

/** GET /openapi.json. */
export function describeApi(): Handler {
  return jsonDocument(openApi);
}
