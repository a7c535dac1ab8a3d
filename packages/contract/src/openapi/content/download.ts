import type { Registry } from '../registry.ts';
import { responseHeaders } from '../response-headers.ts';
import { errorResponses } from '../responses.ts';
import { codeSamples } from '../samples/code-samples.ts';
import { BYTES, headers, requestHeader } from './headers.ts';

const TAG = { ETag: 'Names the content, which never changes.' };
const BLOB = {
  'Accept-Ranges': '`bytes`.',
  ...TAG,
  'Cache-Control': '`private, max-age=900, immutable`.',
  'Content-Disposition': '`attachment`, so that browsers do not run it.',
};

/** GET of a download address. */
export function download(registry: Registry): Record<string, object> {
  return {
    get: {
      operationId: 'downloadContent',
      tags: ['Uploads and downloads'],
      summary: 'Download a content',
      description:
        'The address is `download_url` of a content as it stands, and works until `expiration`. Redirects to the object storage, or answers the bytes, as the deployment is configured. GET serves HEAD too.',
      security: [],
      parameters: [
        query('expires', 'When the address stops working, in milliseconds since 1970.', 'integer'),
        query('signature', 'Shows that the platform made the address.', 'string'),
        requestHeader('Range', {
          type: 'string',
          description: 'A range of the bytes; of several ranges none is served.',
          examples: ['bytes=0-1023'],
        }),
        requestHeader('If-Range', {
          type: 'string',
          description: 'The ETag of what the client has; another one is answered with all bytes.',
        }),
        requestHeader('If-None-Match', {
          type: 'string',
          description:
            'ETags of what the client has, or `*`; if the content is among it, the answer has no bytes.',
        }),
      ],
      responses: {
        200: blob('All bytes.', {}, registry),
        206: blob('The range.', { 'Content-Range': 'Which bytes these are.' }, registry),
        302: {
          description: 'The bytes are in the object storage.',
          headers: {
            ...responseHeaders(302, registry),
            ...headers({ Location: 'Where they are, as long as this address works.' }),
          },
        },
        304: tagged(304, 'The client has the content.', registry),
        412: tagged(412, 'If-Match does not name the content.', registry),
        416: {
          description: 'The content has no such range.',
          headers: {
            ...responseHeaders(416, registry),
            ...headers({ ...BLOB, 'Content-Range': 'How many bytes there are.' }),
          },
        },
        ...errorResponses(
          ['access_denied', 'not_found', 'request_timeout', 'internal_server_error', 'service_unavailable'],
          registry,
        ),
      },
      ...codeSamples({ method: 'GET', url: '{{DOWNLOAD_URL}}', headers: {}, answer: 'bytes' }),
    },
  };
}

function query(name: string, description: string, type: string): object {
  return { name, in: 'query', required: true, description, schema: { type } };
}

function blob(description: string, further: Record<string, string>, registry: Registry): object {
  return {
    description,
    headers: { ...responseHeaders(200, registry), ...headers({ ...BLOB, ...further }) },
    ...BYTES,
  };
}

/** An answer that names the content and has no bytes of it. */
function tagged(status: number, description: string, registry: Registry): object {
  return { description, headers: { ...responseHeaders(status, registry), ...headers(TAG) } };
}
