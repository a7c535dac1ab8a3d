import type { ApiContext } from '../context.ts';
import { createDocument, respondWithDocument, type Document } from '@parley/http/answers/document';
import type { Handler } from '../request/route.ts';

/** Answers with a JSON document that depends only on the deployment. It is made once, at the first request. */
export function jsonDocument(make: (ctx: ApiContext) => object): Handler {
  const documents = new WeakMap<ApiContext, Document>();
  return (ctx, { headers }) => {
    let document = documents.get(ctx);
    if (!document) {
      document = createDocument(JSON.stringify(make(ctx)), 'application/json; charset=utf-8');
      documents.set(ctx, document);
    }
    return respondWithDocument(document, { headers, compresses: ctx.config.compression });
  };
}
