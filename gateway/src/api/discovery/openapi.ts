import { openApiDocument } from '@parley/contract/openapi/document';
import { describeAdministration } from '@parley/administration/describe';
import type { Uses } from '../context.ts';

/** Every route, and the APIs of administration, uploads and downloads, as an OpenAPI 3.1 document. */
export function openApi({ wire, config }: Uses<'config' | 'wire'>): object {
  const { publicUrl: baseUrl, contentUrl } = config;
  const { name, version } = wire;
  return openApiDocument({
    name,
    version,
    baseUrl,
    contentUrl,
    administration: describeAdministration(),
  });
}
