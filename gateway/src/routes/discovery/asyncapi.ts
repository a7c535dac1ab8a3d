import { asyncApiDocument } from '@parley/contract/asyncapi/document';
import type { GatewayContext } from '../../context.ts';
import type { Handler } from '../request/route.ts';

/** GET /asyncapi.json. The document is made once, at the first request. */
export function describeMessages(): Handler {
  const documents = new WeakMap<GatewayContext, string>();
  return (ctx) => {
    let json = documents.get(ctx);
    if (json === undefined) documents.set(ctx, (json = JSON.stringify(documentOf(ctx))));
    return { status: 200, json };
  };
}

function documentOf({ wire, config }: GatewayContext): object {
  return asyncApiDocument({ name: wire.name, version: wire.version, baseUrl: config.publicUrl });
}
