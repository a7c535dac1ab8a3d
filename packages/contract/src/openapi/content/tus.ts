import type { Registry } from '../registry.ts';
import { responseHeaders } from '../response-headers.ts';
import { errorResponses } from '../responses.ts';
import { codeSamples } from '../samples/code-samples.ts';
import { headers, requestHeader } from './headers.ts';
import { UPLOAD_ERRORS } from './upload.ts';

const TUS_RESUMABLE = requestHeader(
  'Tus-Resumable',
  { type: 'string', enum: ['1.0.0'], description: 'The version of tus.' },
  true,
);

const PROGRESS = {
  'Tus-Resumable': 'The version of tus, `1.0.0`.',
  'Cache-Control': '`no-store`.',
  'Upload-Offset': 'How many bytes are stored.',
  'Upload-Length': 'How many bytes the content has.',
  'Upload-Expires': 'When the address stops working.',
};

/** HEAD, PATCH and OPTIONS of an upload's address: tus 1.0 with the extensions termination and expiration. */
export function tus(registry: Registry): Record<string, object> {
  return { head: askProgress(registry), patch: append(registry), options: options(registry) };
}

function askProgress(registry: Registry): object {
  return {
    operationId: 'getUploadOffset',
    tags: ['Uploads and downloads'],
    summary: 'Ask how far an upload is, by tus',
    description:
      'How many bytes are stored. An upload that has all its bytes, but could not be completed, is completed now, or the ' +
      'answer is 503. An error has no body, since the answer to a HEAD has none.',
    security: [],
    parameters: [TUS_RESUMABLE],
    responses: {
      200: progress('How far the upload is.', 200, registry),
      412: refusal('Another version of tus than 1.0.0 was asked for.', 412, registry),
      423: refusal('Another request is completing the upload.', 423, registry),
      ...errorResponses(UPLOAD_ERRORS, registry),
    },
    ...codeSamples({
      method: 'HEAD',
      url: '{{UPLOAD_URL}}',
      headers: { 'Tus-Resumable': '1.0.0' },
      answer: 'nothing',
    }),
  };
}

function append(registry: Registry): object {
  return {
    operationId: 'appendToUpload',
    tags: ['Uploads and downloads'],
    summary: 'Send bytes of a content, by tus',
    description: 'Appends bytes at `Upload-Offset`, which has to be the number of bytes that are stored.',
    security: [],
    parameters: [
      TUS_RESUMABLE,
      requestHeader(
        'Upload-Offset',
        { type: 'integer', minimum: 0, description: 'How many bytes are stored.' },
        true,
      ),
    ],
    requestBody: {
      required: true,
      content: { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } },
    },
    responses: {
      204: progress('The bytes are stored.', 204, registry),
      409: progress('`Upload-Offset` is not the number of stored bytes.', 409, registry),
      412: refusal('Another version of tus than 1.0.0 was asked for.', 412, registry),
      415: refusal('`Content-Type` is not `application/offset+octet-stream`.', 415, registry),
      423: refusal('Another request is writing to the upload.', 423, registry),
      ...errorResponses([...UPLOAD_ERRORS, 'invalid_request'], registry),
    },
    ...codeSamples({
      method: 'PATCH',
      url: '{{UPLOAD_URL}}',
      headers: {
        'Tus-Resumable': '1.0.0',
        'Upload-Offset': '0',
        'Content-Type': 'application/offset+octet-stream',
      },
      body: { file: 'picture.jpeg' },
      answer: 'nothing',
    }),
  };
}

function options(registry: Registry): object {
  const described = headers({
    'Tus-Resumable': PROGRESS['Tus-Resumable'],
    'Tus-Version': 'The versions of tus, `1.0.0`.',
    'Tus-Extension': '`termination,expiration`.',
  });
  return {
    operationId: 'getUploadProtocol',
    tags: ['Uploads and downloads'],
    summary: 'Ask what the address takes, by tus or as a browser',
    description: 'Also answers the preflight of a browser. Never refused.',
    security: [],
    responses: {
      204: {
        description: 'What the address takes.',
        headers: { ...responseHeaders(204, registry), ...described },
      },
      ...errorResponses(['request_timeout'], registry),
    },
    ...codeSamples({ method: 'OPTIONS', url: '{{UPLOAD_URL}}', headers: {}, answer: 'nothing' }),
  };
}

function progress(description: string, status: number, registry: Registry): object {
  return { description, headers: { ...responseHeaders(status, registry), ...headers(PROGRESS) } };
}

function refusal(description: string, status: number, registry: Registry): object {
  return {
    description,
    headers: {
      ...responseHeaders(status, registry),
      ...headers({ 'Tus-Resumable': PROGRESS['Tus-Resumable'] }),
    },
  };
}
