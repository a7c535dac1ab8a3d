import { EXAMPLE } from '../schema/ids.ts';
import type { ErrorDoc } from './error-doc.ts';

const MESSAGES = `/conversations/${EXAMPLE.conversation}/messages`;

/** Errors in the form of a request: its address, headers and body. */
export const formDocs = {
  invalid_request: {
    cause:
      'The body is not JSON or not UTF-8, is nested deeper than 64 levels, or is an array where an object is expected, or the other way round. The path may also not be percent-encoded UTF-8, X-HTTP-Method-Override may name an unknown method, or a socket packet may have an invalid envelope or an unknown method.',
    example: {
      caller: { user: 'ada' },
      method: 'POST',
      path: '/conversations',
      body: '{\n  "participants": ["grace"],\n}',
      message: 'The request is not JSON: unexpected character at line 3, column 1.',
      data: { line: 3, column: 1 },
    },
    remedy:
      'Look at the given line and column of the body as it was sent: both count from 1, and a column is a UTF-16 code unit. Build bodies with a JSON serialiser, without a byte order mark.',
  },
  invalid_request_id: {
    cause:
      'The id that the request gives to a new object, in the body or in If-None-Match, is neither a UUID nor a URI of the right kind.',
    example: {
      caller: { user: 'ada' },
      method: 'POST',
      path: '/conversations',
      body: { id: 'my-conversation', participants: ['grace'] },
      data: { property: 'id' },
    },
    remedy: 'Generate a UUID, or leave the id out: the platform makes one then.',
  },
  invalid_header: {
    cause:
      'The Accept header is missing, or names another media type or version than the API has. `*/*` is not enough. With the status 415: the body has a Content-Encoding, such as gzip, which `data.header` names.',
    example: {
      caller: { user: 'ada' },
      method: 'GET',
      path: '/conversations',
      headers: { Accept: 'application/json' },
      message: 'The Accept header must be: application/vnd.svc+json; version=3.0',
      data: { header: 'Accept', accepted: ['application/vnd.svc+json; version=3.0'] },
    },
    remedy:
      'Send the header as `data.accepted` has it. The webhooks API has a media type of its own. Send bodies as they are, without a Content-Encoding.',
  },
  invalid_endpoint: {
    cause: 'No endpoint has the path of the request.',
    example: { caller: { user: 'ada' }, method: 'GET', path: '/conversation', data: null },
    remedy:
      'Compare the path with `/openapi.json`. Use the addresses that records contain, such as `messages_url`, instead of building paths.',
  },
  method_not_allowed: {
    cause: 'The path exists, but not with the method of the request.',
    example: { caller: { user: 'ada' }, method: 'PUT', path: '/conversations', body: {}, data: null },
    remedy:
      'Use one of the methods in the Allow header of the answer. A client that cannot send PATCH, PUT or DELETE sends POST with X-HTTP-Method-Override.',
  },
  missing_property: {
    cause: 'The body lacks a required property, which `data.property` names.',
    example: {
      caller: { user: 'ada' },
      method: 'POST',
      path: MESSAGES,
      body: { parts: [{ body: 'Hello' }] },
      message: 'parts.0.mime_type is required.',
      data: { property: 'parts.0.mime_type' },
    },
    remedy: 'Send the property. Null counts as absent.',
  },
  invalid_property: {
    cause:
      'A property of the body, a parameter of the query or a header has a value that is not valid. `data.property` names it, with the index of the item in a list or batch; `data.accepted` lists the values where there are only certain ones. A refused identity token has `data.property` = `identity_token` and the reason in `data.reason`.',
    example: {
      caller: { user: 'ada' },
      method: 'GET',
      path: '/conversations?sort_by=name',
      message: 'sort_by must be created_at or last_message.',
      data: { property: 'sort_by', accepted: ['created_at', 'last_message'] },
    },
    remedy: 'Correct the value; the message says what is accepted.',
  },
  request_entity_too_large: {
    cause:
      'The body of the request has more than 1 MB, or the parts of a message together more than 900,000 bytes.',
    example: {
      caller: { user: 'ada' },
      given: 'The body of the part has more than a megabyte.',
      method: 'POST',
      path: MESSAGES,
      body: { parts: [{ mime_type: 'text/plain', body: '…' }] },
      data: null,
    },
    remedy:
      'Upload large bodies as rich content and refer to them by `content.id`. Send announcements to many recipients in several requests.',
  },
} as const satisfies Record<string, ErrorDoc>;
