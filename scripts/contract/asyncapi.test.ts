import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { asyncApiDocument } from '../../packages/contract/src/asyncapi/document.ts';
import {
  compareAsyncApi,
  type AsyncApiDocument,
} from '../../packages/contract/src/compatibility/asyncapi.ts';
import { SOCKET_METHODS } from '../../packages/contract/src/socket/requests/index.ts';
import { undecided } from './narrowed.ts';
import { REPOSITORY } from '../build/paths.ts';

type Message = { payload: { $ref: string }; examples: { name: string; payload: unknown }[] };
type Document = AsyncApiDocument & { components: { messages: Record<string, Message> } };

/** The document that gateways publish. */
const PUBLISHED = path.join(REPOSITORY, 'docs/asyncapi.json');
/** The document that the last release published. */
const RELEASED = path.join(REPOSITORY, 'packages/contract/released/asyncapi.json');
const SETTINGS = { name: 'svc', version: '3.0', baseUrl: 'https://chat.example.com' };
const DOCUMENT = JSON.parse(JSON.stringify(asyncApiDocument(SETTINGS))) as Document;

function read(file: string): Document {
  return JSON.parse(readFileSync(file, 'utf8')) as Document;
}

function write(file: string): void {
  writeFileSync(file, `${JSON.stringify(DOCUMENT, null, 2)}\n`);
}

test('the committed document is the one that gateways publish', () => {
  if (process.env.UPDATE_DOCS) write(PUBLISHED);
  expect(read(PUBLISHED)).toEqual(DOCUMENT);
});

test('clients of the last release understand it', () => {
  if (process.env.UPDATE_RELEASED) write(RELEASED);
  expect(undecided(compareAsyncApi(read(RELEASED), DOCUMENT))).toEqual([]);
});

const AJV = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(AJV);
AJV.addSchema({ components: DOCUMENT.components }, 'asyncapi');

function errorsOf({ payload }: Message, value: unknown): string[] {
  AJV.validate({ $ref: `asyncapi${payload.$ref}` }, value);
  return (AJV.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe.each(Object.entries(DOCUMENT.components.messages))('%s', (_name, message) => {
  test.each(message.examples.map((example) => [example.name, example.payload]))(
    'its example “%s” is valid',
    (_example, payload) => {
      expect(errorsOf(message, payload)).toEqual([]);
    },
  );
});

test('a packet that is not an example of a message is not valid', () => {
  const { Hello, MessageCreated } = DOCUMENT.components.messages;
  const [greeting] = Hello?.examples ?? [];
  expect(MessageCreated && errorsOf(MessageCreated, greeting?.payload)).not.toEqual([]);
});

test('every method of requests is one operation', () => {
  const operations = Object.values(DOCUMENT.operations ?? {}).filter(({ reply }) => reply);
  expect(operations).toHaveLength(Object.keys(SOCKET_METHODS).length);
});

test('examples name the addresses of the deployment', () => {
  const text = JSON.stringify(asyncApiDocument({ ...SETTINGS, baseUrl: 'http://localhost:8080' }));
  expect(text).toContain('http://localhost:8080/conversations/');
  expect(text).not.toContain('chat.example.com');
});

test('another wire name is used throughout', () => {
  const text = JSON.stringify(asyncApiDocument({ ...SETTINGS, name: 'acme' }));
  expect(text).toContain('acme:///messages/');
  expect(text).toContain('acme-3.1');
  expect(text).not.toMatch(/\bsvc\b/i);
});
