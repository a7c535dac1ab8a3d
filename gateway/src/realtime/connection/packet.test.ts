import { problemOf } from '@parley/domain/problems';
import { createWire } from '@parley/domain/wire';
import { Typing_Action } from '@parley/proto/parley/live/v1/live_pb';
import { PacketError, parsePacket } from './packet.ts';

const wire = createWire('svc');
const ID = '01990000-0000-7000-8000-000000000001';
const object = { id: `svc:///conversations/${ID}` };

const parse = (packet: unknown) => parsePacket(wire, JSON.stringify(packet));

/** The id of the problem, or the code that the socket is closed with. */
function refusalOf(text: string): unknown {
  try {
    return parsePacket(wire, text);
  } catch (error) {
    return error instanceof PacketError ? error.closeCode : problemOf(error)?.id;
  }
}

test.each([['r1'], [''], ['x'.repeat(128)], [0], [-7], [Number.MAX_SAFE_INTEGER], [null], [undefined]])(
  'the request id %j is taken',
  (request_id) => {
    const packet = parse({ type: 'request', body: { request_id, method: 'Counter.read' } });
    expect(packet).toMatchObject({ request: { requestId: request_id ?? null, method: 'Counter.read' } });
  },
);

test.each([
  ['x'.repeat(129)],
  [1.5],
  [2 ** 53],
  [true],
  [[]],
  [{ toString: 1 }],
  [JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`)],
])('the request id %j is refused', (request_id) => {
  const text = JSON.stringify({ type: 'request', body: { request_id, method: 'Counter.read' } });
  expect(refusalOf(text)).toBe('invalid_request');
});

test.each([[undefined], [null], [1], [{ toString: 1 }], [['Counter.read']], ['x'.repeat(129)]])(
  'the method %j is none',
  (method) => {
    const packet = parse({ type: 'request', body: { request_id: 1, method } });
    expect(packet).toMatchObject({ request: { requestId: 1, method: '' } });
  },
);

test.each([[undefined], [null], [[]], ['text'], [1]])('the body %j is refused', (body) => {
  for (const type of ['request', 'signal']) {
    expect(refusalOf(JSON.stringify({ type, body }))).toBe('invalid_request');
  }
});

test.each([
  ['started', Typing_Action.STARTED],
  ['paused', Typing_Action.PAUSED],
  ['finished', Typing_Action.FINISHED],
])('the action %s is known', (action, expected) => {
  const body = { type: 'typing_indicator', object, data: { action } };
  const typing = { conversationId: ID, action: expected };
  expect(parse({ type: 'signal', body })).toEqual({ type: 'signal', typing });
  expect(parse({ type: 'signal', body: { ...body, object: object.id } })).toEqual({ type: 'signal', typing });
});

test.each([
  [undefined],
  [null],
  ['dancing'],
  ['toString'],
  ['__proto__'],
  [{ toString: 1 }],
  [['started']],
  [1],
])('the action %j is refused', (action) => {
  const body = { type: 'typing_indicator', object, data: { action } };
  expect(refusalOf(JSON.stringify({ type: 'signal', body }))).toBe('invalid_request');
});

test.each([[undefined], [null], [1], ['x'], [{ id: { toString: 1 } }], [{ id: 'svc:///messages/x' }], [[]]])(
  'the object %j of a typing signal is refused',
  (given) => {
    const body = { type: 'typing_indicator', object: given, data: { action: 'started' } };
    expect(refusalOf(JSON.stringify({ type: 'signal', body }))).toBe('invalid_request');
  },
);

test('the type of a signal is a string; a signal of an unknown type is ignored', () => {
  expect(refusalOf('{"type":"signal","body":{"type":{"toString":1}}}')).toBe('invalid_request');
  expect(parse({ type: 'signal', body: { type: 'a newer one' } })).toEqual({ type: 'signal' });
});

test.each([
  ['20,000 levels in the request id', '"request_id":', '"method":"Counter.read"'],
  ['20,000 levels in the data', '"data":', '"request_id":1,"method":"Counter.read"'],
  ['20,000 levels in a property that is not known', '"other":', '"request_id":1'],
])('%s are refused', (_, property, rest) => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  expect(refusalOf(`{"type":"request","body":{${property}${deep},${rest}}}`)).toBe('invalid_request');
});

test.each([
  ['{', 1007],
  ['', 1007],
  ['1', 1003],
  ['[]', 1003],
  ['null', 1003],
  ['{}', 1003],
  ['{"type":{"toString":1}}', 1003],
  ['{"type":"__proto__"}', 1003],
])('%s closes the socket with %d', (text, code) => {
  expect(refusalOf(text)).toBe(code);
});

test('the reason of a closing says where a text ceases to be JSON', () => {
  expect(() => parsePacket(wire, '{\n "type" 1}')).toThrow('not JSON at line 2, column 9');
});
