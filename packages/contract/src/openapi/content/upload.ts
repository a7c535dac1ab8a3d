import type { ErrorId } from '../../errors.ts';
import { CONTENT } from '../../examples/content.ts';
import { Content } from '../../records/part.ts';
import { toJsonSchema } from '../components.ts';
import type { Registry } from '../registry.ts';
import { responseHeaders } from '../response-headers.ts';
import { codedBodyResponse, errorResponses } from '../responses.ts';
import { codeSamples } from '../samples/code-samples.ts';
import { BYTES, headers, requestHeader } from './headers.ts';

/** Every address of an upload may answer these. */
export const UPLOAD_ERRORS: readonly ErrorId[] = [
  'not_found',
  'object_deleted',
  'request_timeout',
  'rate_limit_exceeded',
  'internal_server_error',
  'service_unavailable',
];

const CONTENT_RANGE = requestHeader('Content-Range', {
  type: 'string',
  pattern: '^bytes (\\*|\\d+-\\d+)/(\\*|\\d+)$',
  description:
    'Which bytes the body has: `bytes 0-262143/524288`. Chunks are multiples of 262,144 bytes, but for the last. `bytes */524288` without a body asks how far the upload is. Without the header the body is the whole content.',
});

/** PUT, POST and DELETE of an upload's address: the upload as a whole, in chunks, or continued after an interruption. */
export function wholeAndChunked(registry: Registry): Record<string, object> {
  return {
    put: sendBytes('PUT', 'sendContent', registry),
    post: sendBytes('POST', 'sendContentByPost', registry),
    delete: cancel(registry),
  };
}

function sendBytes(method: 'PUT' | 'POST', operationId: string, registry: Registry): object {
  return {
    operationId,
    tags: ['Uploads and downloads'],
    summary: 'Send the bytes of a content, or ask how far the upload is',
    description:
      'Sends all bytes at once, or a chunk of them. After an interruption a status query says where to go on. Bytes that are stored already are skipped; bytes that would leave a gap are refused. PUT and POST do the same.',
    security: [],
    parameters: [CONTENT_RANGE],
    requestBody: { required: false, ...BYTES },
    responses: {
      200: {
        description: 'All bytes are stored.',
        headers: responseHeaders(200, registry),
        content: {
          'application/json': { schema: toJsonSchema(Content, registry.schemas), example: CONTENT },
        },
      },
      308: {
        description: 'Bytes are missing: go on after those of `Range`.',
        headers: {
          ...responseHeaders(308, registry),
          ...headers({ Range: 'The stored bytes, such as `bytes=0-262143`; left out while there are none.' }),
        },
      },
      ...errorResponses([...UPLOAD_ERRORS, 'invalid_request', 'conflict'], registry),
      ...codedBodyResponse(registry),
    },
    ...codeSamples({
      method,
      url: '{{UPLOAD_URL}}',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: { file: 'picture.jpeg' },
      answer: 'json',
    }),
  };
}

function cancel(registry: Registry): object {
  return {
    operationId: 'cancelUpload',
    tags: ['Uploads and downloads'],
    summary: 'Cancel an upload',
    description:
      'Cancels an upload that is not complete; its bytes are removed. With `Tus-Resumable` the answer is that of tus.',
    security: [],
    parameters: [
      requestHeader('Tus-Resumable', { type: 'string', enum: ['1.0.0'], description: 'The version of tus.' }),
    ],
    responses: {
      204: { description: 'Cancelled, to a client of tus.', headers: responseHeaders(204, registry) },
      412: {
        description: 'Another version of tus than 1.0.0 was asked for.',
        headers: responseHeaders(412, registry),
      },
      499: { description: 'Cancelled.', headers: responseHeaders(499, registry) },
      ...errorResponses([...UPLOAD_ERRORS, 'invalid_request'], registry),
    },
    ...codeSamples({
      method: 'DELETE',
      url: '{{UPLOAD_URL}}',
      headers: { 'Tus-Resumable': '1.0.0' },
      answer: 'nothing',
    }),
  };
}
