import { OwnMessages } from './own-messages.ts';

let pushed: string[];
let own: OwnMessages;
beforeEach(() => {
  pushed = [];
  own = new OwnMessages();
});

/** Whether the packet of a message is withheld from the socket. */
const takes = (id: string) => own.takes(id, () => void pushed.push(id));
const about = (id: string, ...within: string[]) => ({ operation: 'update' as const, id, within, seq: 2 });

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
  expect(pushed).toEqual(['m']);
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

test.each([
  ['the message', about('m', 'conversation')],
  ['a part of it', about('part', 'conversation', 'm')],
])('a packet that came before the answer is pushed before one that changes %s', (_, change) => {
  own.begin('m');
  own.precede(change);
  expect(pushed).toEqual([]);
  takes('m');
  own.precede(about('n', 'conversation'));
  expect(pushed).toEqual([]);
  own.precede(change);
  expect(pushed).toEqual(['m']);
  own.answered('m');
  own.failed('m');
  expect(pushed).toEqual(['m']);
});

test('a repeated request leaves the packet of the first one', () => {
  own.begin('m');
  takes('m');
  own.begin('m');
  own.failed('m');
  own.failed('m');
  expect(pushed).toEqual(['m']);
});
