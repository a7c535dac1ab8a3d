import { openApiDocument } from '@parley/contract/openapi/document';
import type { GatewayContext } from '../../context.ts';
import type { Route } from '../request/route.ts';

/** Every route as an OpenAPI 3.1 document. */
export function openApi({ wire, config }: GatewayContext, routes: readonly Route[]): object {
  return openApiDocument(routes, { name: wire.name, version: wire.version, baseUrl: config.publicUrl });
}
