import Type from 'typebox';
import { EXAMPLE_LINKS, linkHeader } from './links.ts';
import type { Operations } from './operation.ts';

const DOCUMENT = Type.Object({}, { additionalProperties: Type.Unknown(), description: 'A JSON document.' });

export const DISCOVERY = {
  discover: {
    route: 'GET /',
    docs: 'requests.md#where-clients-begin',
    auth: 'checked',
    operator: null,
    summary: 'Where everything is; checks the token when there is one',
    accept: 'any',
    tag: 'Discovery',
    description:
      'Links to where clients begin. With an Authorization header it also checks the token, so that a client learns whether its session has ended.',
    success: {
      204: { description: 'The links.', headers: linkHeader(EXAMPLE_LINKS) },
    },
    errors: [],
  },
  ping: {
    route: 'GET /ping',
    docs: 'requests.md#where-clients-begin',
    auth: 'none',
    operator: null,
    summary: 'Whether the gateway answers',
    accept: 'any',
    tag: 'Discovery',
    description: 'Answers without asking any other service. A HEAD request does the same.',
    success: {
      200: {
        description: 'The gateway answers.',
        body: { schema: Type.Object({}, { description: 'Nothing.' }), example: {} },
      },
    },
    errors: [],
  },
  describeRestApi: {
    route: 'GET /openapi.json',
    docs: '../api-description.md',
    auth: 'none',
    operator: null,
    summary: 'The API as an OpenAPI document',
    accept: 'any',
    tag: 'Discovery',
    description: 'This document.',
    success: {
      200: {
        description: 'An OpenAPI 3.1 document.',
        body: { schema: DOCUMENT, example: { openapi: '3.1.0' } },
      },
    },
    errors: [],
  },
  describeWebSocket: {
    route: 'GET /asyncapi.json',
    docs: '../api-description.md',
    auth: 'none',
    operator: null,
    summary: 'WebSocket packets and events as an AsyncAPI document',
    accept: 'any',
    tag: 'Discovery',
    description: 'Describes the packets of the WebSocket.',
    success: {
      200: {
        description: 'An AsyncAPI 3.0 document.',
        body: { schema: DOCUMENT, example: { asyncapi: '3.0.0' } },
      },
    },
    errors: [],
  },
  documentErrors: {
    route: 'GET /docs/errors',
    docs: 'errors.md',
    auth: 'none',
    operator: null,
    summary: 'What errors mean',
    accept: 'any',
    tag: 'Discovery',
    description: 'Explains every error, each in the section that `url` of an error points at.',
    success: {
      200: {
        description: 'A page for people.',
        body: {
          schema: Type.String({ description: 'HTML.' }),
          example: '<!doctype html><title>Errors</title>',
          mediaTypes: ['text/html'],
        },
      },
    },
    errors: [],
  },
} satisfies Operations;
