import { Socket, type SocketHandlers } from '../../src/connection/socket.ts';

/** A socket whose other side is the test. */
function connected() {
  const heard: string[] = [];
  const transport = {
    onopen: null,
    onmessage: null as ((event: { data: unknown }) => void) | null,
    onclose: null,
    onerror: null,
    send: () => undefined,
    close: () => undefined,
  };
  const handlers: SocketHandlers = {
    hello: () => heard.push('hello'),
    change: (change) => heard.push(change.object.type),
    signal: () => undefined,
    gap: () => heard.push('gap'),
    problem: (name) => heard.push(name),
    closed: () => heard.push('closed'),
  };
  const options = { url: 'wss://chat.test/websocket', protocols: [] };
  const socket = new Socket(
    function () {
      return transport;
    } as unknown as ConstructorParameters<typeof Socket>[0],
    options,
    handlers,
  );
  let counter = 0;
  const hand = (type: string, body: unknown): void =>
    transport.onmessage?.({ data: JSON.stringify({ type, counter: counter++, timestamp: '', body }) });
  const close = () => socket.close();
  return { heard, hand, close, transport };
}

test('a packet that cannot be read is left out, and neither ends the connection nor is missed', () => {
  const { heard, hand, close } = connected();
  hand('change', { operation: 'pin' });
  hand('poll', null);
  hand('signal', null);
  hand('change', { operation: 'create', object: { type: 'Message', id: '' }, data: {} });
  expect(heard).toEqual(['packet_ignored', 'Message']);
  close();
});

test('after what is no packet at all the next one shows that one was lost', () => {
  const { heard, hand, close, transport } = connected();
  hand('poll', {});
  transport.onmessage?.({ data: '{"type":"chan' });
  expect(heard).toEqual(['packet_ignored']);
  transport.onmessage?.({ data: JSON.stringify({ type: 'poll', counter: 2, timestamp: '', body: {} }) });
  expect(heard).toEqual(['packet_ignored', 'gap']);
  close();
});
