import { decodePacket } from './packet.ts';

const PASSED = { id: 7, isSent: false };

test.each([
  [{ type: 'response', body: { method: 'Counter.read' } }, 'response Counter.read'],
  [
    { type: 'change', counter: 3, body: { operation: 'create', object: { type: 'Message' } } },
    'change create Message',
  ],
  [
    { type: 'signal', body: { type: 'typing_indicator', data: { action: 'started' } } },
    'signal typing_indicator started',
  ],
  [{}, 'a packet'],
  [{ type: 4 }, 'a packet'],
])('%j is shown as “%s”', (content, title) => {
  expect(decodePacket(JSON.stringify(content), PASSED)).toMatchObject({ ...PASSED, title, content });
});

test('the counter of a packet is shown', () => {
  expect(decodePacket('{"type":"change","counter":3}', PASSED).counter).toBe(3);
});

test.each(['', 'hello', '{"type":', 'null', '{"body":null}'])('%j is shown as it came', (text) => {
  expect(decodePacket(text, PASSED)).toMatchObject({ title: 'no JSON', counter: undefined, content: text });
});
