import Type from 'typebox';
import * as examples from '../examples/content.ts';
import { limits } from '../limits.ts';
import { FILENAME, MIME_TYPE, PERCENT_ENCODED } from '../patterns.ts';
import { Content } from '../records/part.ts';
import { url } from '../schema/ids.ts';
import type { Description, Operations, Parameter } from './operation.ts';

const UPLOAD_HEADERS: readonly Parameter[] = [
  {
    name: 'Upload-Content-Type',
    in: 'header',
    required: true,
    schema: Type.String({
      pattern: MIME_TYPE,
      maxLength: limits.mimeType,
      description: 'Media type of the upload.',
      examples: ['image/jpeg'],
    }),
  },
  {
    name: 'Upload-Content-Length',
    in: 'header',
    required: true,
    schema: Type.Integer({ minimum: 0, description: 'Bytes of the upload.', examples: [481_516] }),
  },
  {
    name: 'Upload-Origin',
    in: 'header',
    schema: Type.String({
      format: 'uri',
      description: 'Origin of the web page that will send the upload.',
      examples: ['https://app.example.com'],
    }),
  },
  {
    name: 'Upload-Content-Filename',
    in: 'header',
    schema: Type.String({
      pattern: PERCENT_ENCODED,
      maxLength: limits.filename * 12,
      description:
        'Name under which a download is saved unless a part gives another one: percent-encoded UTF-8, by the rules of `filename` of a part.',
      examples: ['r%C3%A9sum%C3%A9.pdf'],
    }),
  },
];

const CREATION =
  'Asks for an address for the upload of rich content, which is data too large for the body of a part. Once the upload is complete, a part of a message refers to it by `content.id`.';
const REFRESH =
  'A new download address, which works until `expiration`. Content that was not uploaded is `not_found`.';

function creation(example: Content): Pick<Description, 'tag' | 'parameters' | 'success'> {
  return {
    tag: 'Rich content',
    parameters: UPLOAD_HEADERS,
    success: {
      201: {
        description: 'The content, to be uploaded to `upload_url` within seven days.',
        headers: { Location: url('Where a download address is asked for.') },
        body: { schema: Content, example },
      },
    },
  };
}

const FILENAME_PARAMETER: Parameter = {
  name: 'filename',
  in: 'query',
  schema: Type.String({
    minLength: 1,
    maxLength: limits.filename,
    pattern: FILENAME,
    description:
      'Name under which the download is saved, as the `refresh_url` of a part has it; otherwise that of the upload.',
    examples: ['report.pdf'],
  }),
};

function refresh(example: Content): Pick<Description, 'tag' | 'parameters' | 'success' | 'errors'> {
  return {
    tag: 'Rich content',
    parameters: [FILENAME_PARAMETER],
    success: { 200: { description: 'The content.', body: { schema: Content, example } } },
    errors: ['not_found', 'invalid_property'],
  };
}

export const CONTENT = {
  createContent: {
    route: 'POST /content',
    docs: 'uploads.md#ask-for-an-upload',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'Ask for an upload of rich content',
    description: CREATION,
    ...creation(examples.NEW_CONTENT),
    errors: ['invalid_property', 'quota_exceeded'],
  },
  createContentAsServer: {
    route: 'POST /apps/:app_uuid/conversations/:conversation_id/content',
    docs: 'uploads.md#ask-for-an-upload',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'Ask for an upload of rich content',
    description: CREATION,
    ...creation(examples.NEW_SERVER_CONTENT),
    errors: ['not_found', 'object_deleted', 'invalid_property', 'quota_exceeded'],
  },
  getContent: {
    route: 'GET /content/:content_id',
    docs: 'uploads.md#refresh-a-download-address',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'Get a new download address',
    description: `${REFRESH} The uploader and the users who see a message with it may ask for one.`,
    ...refresh(examples.CONTENT),
  },
  getContentAsServer: {
    route: 'GET /apps/:app_uuid/conversations/:conversation_id/content/:content_id',
    docs: 'uploads.md#refresh-a-download-address',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'Get a new download address',
    description: `${REFRESH} The conversation is the one it was uploaded for, or one with a message that has it.`,
    ...refresh(examples.SERVER_CONTENT),
  },
} satisfies Operations;
