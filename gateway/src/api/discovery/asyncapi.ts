import { asyncApiDocument } from '@parley/contract/asyncapi/document';
import type { Uses } from '../context.ts';
import type { Handler } from '../request/route.ts';
import { jsonDocument } from './json-document.ts';

/** GET /asyncapi.json. The document is made once, at the first request. */
export function describeMessages(): Handler {
  return jsonDocument(descriptionOf);
}

function descriptionOf({ wire, config }: Uses<'config' | 'wire'>): object {
  return asyncApiDocument({ name: wire.name, version: wire.version, baseUrl: config.publicUrl });
}
