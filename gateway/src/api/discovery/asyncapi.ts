import { asyncApiDocument } from '@parley/contract/asyncapi/document';
import type { GatewayContext } from '../../context.ts';
import type { Handler } from '../request/route.ts';
import { jsonDocument } from './json-document.ts';

/** GET /asyncapi.json. The document is made once, at the first request. */
export function describeMessages(): Handler {
  return jsonDocument(descriptionOf);
}

function descriptionOf({ wire, config }: GatewayContext): object {
  return asyncApiDocument({ name: wire.name, version: wire.version, baseUrl: config.publicUrl });
}
