import { leanSockets } from '../../src/lean/sockets.ts';

type Packet = { type: string; counter: number; body: unknown };

const TEMPLATES = {
  conversation: 'https://chat.example/conversations/{conversation_id}',
  message: 'https://chat.example/messages/{message_id}',
  message_part: 'https://chat.example/messages/{message_id}/parts/{part_id}',
  identity: 'https://chat.example/identities/{user_id}',
};
const HELLO = { user: { user_id: 'ada' }, templates: TEMPLATES };
const MESSAGE = {
  operation: 'create',
  object: { type: 'Message', id: 'm1' },
  data: {
    position: 2,
    conversation: 'c1',
    parts: [{ id: 'p1', mime_type: 'text/plain', body: 'Hello' }],
    sent_at: '2026-11-27T20:15:30.123Z',
    sender: { user_id: '__proto__' },
  },
  unread_message_count: 3,
};

/** A socket of the library over a transport that speaks a subprotocol, and what the library hears. */
function connect() {
  const offered: string[][] = [];
  const transport = { onmessage: null as ((event: { data: unknown }) => void) | null };
  const Sockets = leanSockets(
    class {
      constructor(_: string, protocols: string[]) {
        offered.push(protocols);
        return transport;
      }
    } as unknown as Parameters<typeof leanSockets>[0],
  );
  const socket = new Sockets('wss://chat.example', ['svc-3.1', 'svc-token.t']);
  const heard: Packet[] = [];
  const texts: string[] = [];
  socket.onmessage = ({ data }: { data: string }) => {
    texts.push(data);
    if (data.endsWith('}')) heard.push(JSON.parse(data) as Packet);
  };
  let counter = 0;
  const hand = (type: string, body: unknown, number = counter) => {
    counter = number + 1;
    transport.onmessage?.({ data: JSON.stringify({ type, counter: number, timestamp: '', body }) });
  };
  return { offered, heard, texts, transport, hand };
}

test('lean packets are offered before the usual ones, which pass as they are', () => {
  const { offered, heard, hand } = connect();
  expect(offered).toEqual([['svc-4.0', 'svc-3.1', 'svc-token.t']]);
  hand('hello', { user: HELLO.user });
  hand('change', MESSAGE);
  expect(heard.slice(1)).toEqual([{ type: 'change', counter: 1, timestamp: '', body: MESSAGE }]);
});

test('what is no packet is left to the library', () => {
  const { texts, transport } = connect();
  transport.onmessage?.({ data: '{"type":"chan' });
  expect(texts).toEqual(['{"type":"chan']);
});

test.each([
  ['b\\.o\\.b', 'b\\.o\\.b'],
  ['a\\\\\\.b', 'a%5C\\.b'],
  ['a b', 'a%20b'],
  ['__proto__', '__proto__'],
])('the status of recipient_status.%s is that of %s', (reader, expected) => {
  const { heard, hand } = connect();
  hand('hello', HELLO);
  const step = { operation: 'set', property: `recipient_status.${reader}`, value: 'read' };
  hand('change', { operation: 'update', object: { type: 'Message', id: 'm1' }, data: [step] });
  const property = `recipient_status.svc:///identities/${expected}`;
  expect(heard[1]?.body).toMatchObject({ data: [{ ...step, property }] });
});

test('a new message becomes the whole record, and an update of its conversation', () => {
  const { heard, hand } = connect();
  hand('hello', HELLO);
  hand('change', MESSAGE);
  const [, created, updated] = heard;
  const conversation = { id: 'svc:///conversations/c1', url: 'https://chat.example/conversations/c1' };
  expect(created?.body).toMatchObject({
    object: { type: 'Message', id: 'svc:///messages/m1', url: 'https://chat.example/messages/m1' },
    data: {
      id: 'svc:///messages/m1',
      conversation,
      parts: [{ id: 'svc:///messages/m1/parts/p1', body: 'Hello', encoding: null, content: null }],
      sender: { id: 'svc:///identities/__proto__', user_id: '__proto__', display_name: null },
      is_unread: true,
      recipient_status: { 'svc:///identities/ada': 'sent', 'svc:///identities/__proto__': 'read' },
    },
  });
  expect(updated?.body).toEqual({
    operation: 'update',
    object: { type: 'Conversation', ...conversation },
    data: [
      { operation: 'set', property: 'last_message', id: 'svc:///messages/m1' },
      { operation: 'set', property: 'unread_message_count', value: 3 },
    ],
  });
});

test('numbers stay without a gap where the platform has none, and with one where a packet was lost', () => {
  const { heard, hand } = connect();
  hand('hello', HELLO);
  for (let times = 0; times < 2; times++) hand('change', MESSAGE);
  hand('signal', { type: 'poll', object: { type: 'Poll', id: '1' }, data: { sender: HELLO.user } });
  expect(heard.map(({ counter }) => counter)).toEqual([0, 1, 2, 3, 4, 5]);
  hand('change', MESSAGE, 5);
  expect(heard.slice(6).map(({ counter }) => counter)).toEqual([7, 8]);
});

test('of a packet that cannot be read there is its number', () => {
  const { heard, hand } = connect();
  hand('hello', HELLO);
  for (const body of [null, {}, { operation: 'create', object: { type: 'Message' }, data: null }])
    hand('change', body);
  expect(heard.slice(1).map(({ type, counter }) => [type, counter])).toEqual([
    ['unknown', 1],
    ['unknown', 2],
    ['unknown', 3],
  ]);
});

test('the changes of an answer are made what they are elsewhere, and errors stay', () => {
  const { heard, hand } = connect();
  hand('hello', HELLO);
  const change = {
    operation: 'update',
    object: { type: 'Identity', id: 'bob' },
    data: [{ operation: 'set', property: 'presence.last_seen_at' }],
  };
  hand('response', { request_id: '1', success: true, data: { changes: [change] } });
  hand('response', { request_id: '2', success: false, data: { id: 'not_found', data: null } });
  expect(heard.slice(1).map(({ body }) => body)).toEqual([
    {
      request_id: '1',
      success: true,
      data: {
        changes: [
          {
            operation: 'update',
            object: {
              type: 'Identity',
              id: 'svc:///identities/bob',
              url: 'https://chat.example/identities/bob',
            },
            data: [{ operation: 'set', property: 'presence.last_seen_at', value: null }],
          },
        ],
      },
    },
    { request_id: '2', success: false, data: { id: 'not_found', data: null } },
  ]);
});
