import { PATH_PARAMETERS } from '../path-parameters.ts';
import { toJsonSchema } from '../components.ts';
import type { Registry } from '../registry.ts';
import { download } from './download.ts';
import { tus } from './tus.ts';
import { wholeAndChunked } from './upload.ts';

/**
 * Paths of the content service at the addresses that contents carry. Clients take those addresses as they stand and make
 * none of their own. `contentUrl`: the service's public address without a slash at its end.
 */
export function contentPaths(contentUrl: string, registry: Registry): Record<string, object> {
  const servers = [{ url: contentUrl, description: 'Uploads and downloads.' }];
  return {
    '/uploads/{upload_token}': {
      servers,
      parameters: [
        pathParameter('upload_token', {
          type: 'string',
          description: 'The end of `upload_url`: the authorization.',
        }),
      ],
      ...wholeAndChunked(registry),
      ...tus(registry),
    },
    '/downloads/{app_uuid}/{content_id}': {
      servers,
      parameters: ['app_uuid', 'content_id'].map((name) =>
        pathParameter(name, { ...toJsonSchema(PATH_PARAMETERS[name] ?? {}, registry.schemas) }),
      ),
      ...download(registry),
    },
  };
}

function pathParameter(
  name: string,
  described: { description?: string; [keyword: string]: unknown },
): object {
  const { description, ...schema } = described;
  return { name, in: 'path', required: true, description, schema };
}
