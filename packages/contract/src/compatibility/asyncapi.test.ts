import { asyncApiDocument } from '../asyncapi/document.ts';
import { compareAsyncApi, type AsyncApiDocument } from './asyncapi.ts';

const SETTINGS = { name: 'svc', version: '3.0', baseUrl: 'https://chat.example.com' };
const TEXT = JSON.stringify(asyncApiDocument(SETTINGS));

type Json = { [key: string]: Json };
type Document = AsyncApiDocument & { components: { messages: Json; schemas: Json } };

/** Faults that are found when the newer document is changed in this way. */
function found(change: (document: Document) => void): string[] {
  const [before, after] = [JSON.parse(TEXT) as Document, JSON.parse(TEXT) as Document];
  change(after);
  return compareAsyncApi(before, after);
}

function schema({ components }: Document, name: string): Json {
  const found = components.schemas[name];
  if (!found) throw new Error(`no schema ${name}`);
  return found;
}

test('a document breaks nothing of itself', () => {
  expect(found(() => undefined)).toEqual([]);
});

test('channels, operations and close codes have to stay', () => {
  expect(
    found(({ channels = {}, operations = {} }) => {
      delete channels.pushes;
      delete operations.requestPushes;
    }),
  ).toEqual(['channel pushes is gone', 'operation requestPushes is gone']);
  expect(found(({ channels = {} }) => Object.assign(channels.socket ?? {}, { address: '/live' }))).toEqual([
    'channel socket has another address',
  ]);
  expect(found(({ operations = {} }) => delete operations.syncPresence)).toEqual([
    'operation syncPresence is gone',
  ]);
  expect(found(({ operations = {} }) => operations.sendChanges?.messages?.pop())).toEqual([
    'sendChanges IdentityDeleted: the message is gone',
  ]);
  expect(
    found(({ channels = {} }) => {
      const codes = channels.socket?.['x-close-codes'];
      if (codes) Reflect.deleteProperty(codes, '4401');
    }),
  ).toEqual(['channel socket does not close with 4401 any more']);
});

test('a packet of the gateway loses no property and no step', () => {
  expect(found((document) => delete schema(document, 'Hello').properties?.server_time)).toEqual([
    'greet Hello.body.server_time: the property is gone',
  ]);
  const lost = found((document) => {
    const { anyOf } = schema(document, 'MessagePartStep') as unknown as { anyOf: unknown[] };
    anyOf.splice(1, 1);
  });
  expect(lost).not.toEqual([]);
  expect(lost.every((change) => change.startsWith('sendChanges MessagePartUpdated.body.data[]'))).toBe(true);
});

test('a delivery keeps the values of its headers, and a server its ways to log in', () => {
  const lost = found((document) => {
    const { enum: values } = schema(document, 'WebhookEventName') as unknown as { enum: string[] };
    values.shift();
  });
  expect(lost).toContainEqual(
    expect.stringMatching(/^onMessageCreated WebhookMessageCreated headers\..* is gone$/),
  );
  expect(found(({ servers = {} }) => servers.gateway?.security?.pop())).toEqual([
    'server gateway does not take sessionQuery any more',
  ]);
  expect(found(({ servers = {} }) => delete servers.broker)).toEqual(['server broker is gone']);
});

test('a packet of a client needs nothing new, and a new version may need it', () => {
  function require(document: Document): void {
    const { required } = schema(document, 'ReceiptInput') as unknown as { required: string[] };
    required.push('at');
  }
  expect(found(require)).toEqual(['createReceipt ReceiptCreateRequest.body.data.at: is required now']);
  expect(
    found((document) => {
      require(document);
      document.info.version = '4.0';
    }),
  ).toEqual([]);
});
