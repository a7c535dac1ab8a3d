import { frameBody, type FrameBody } from './frame.ts';
import { OwnMessages } from './own-messages.ts';

const packet = frameBody({ operation: 'create' });

let pushed: FrameBody[];
let own: OwnMessages;
beforeEach(() => {
  pushed = [];
  own = new OwnMessages((body) => void pushed.push(body));
});

/** Whether a socket does without the packet of a message. */
const takes = (id: string) => own.takes(id, () => packet);

test.each([
  ['before', () => [takes('m'), own.answered('m')]],
  ['after', () => [own.answered('m'), takes('m')]],
])('a packet that comes %s the answer is left out, and one that comes again is not', (_, happens) => {
  own.begin('m');
  expect(happens()).toContain(true);
  expect(takes('m')).toBe(false);
  expect(pushed).toEqual([]);
});

test('a packet that came before an error is pushed with it', () => {
  own.begin('m');
  expect(takes('m')).toBe(true);
  own.failed('m');
  expect(pushed).toEqual([packet]);
  expect(takes('m')).toBe(false);
});

test('a packet that comes after an error is not left out', () => {
  own.begin('m');
  own.failed('m');
  expect(takes('m')).toBe(false);
  expect(pushed).toEqual([]);
});

test('a message of somebody else is not left out', () => {
  own.begin('m');
  expect(takes('n')).toBe(false);
});

test('of too many messages the oldest are pushed, and none is lost', () => {
  for (let index = 0; index < 3_000; index++) {
    own.begin(`m${index}`);
    takes(`m${index}`);
  }
  expect(pushed).toHaveLength(1_000);
});
