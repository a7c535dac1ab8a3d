import { judgeStored } from './stored.ts';

const rowsOf = (...ids: string[]) =>
  ids.map((id, index) => ({ conversation: 'one', id, position: index + 1 }));
const sent = new Map([['one', ['a', 'b']]]);

test('exactly the acknowledged messages break no promise', () => {
  expect(judgeStored(new Map([['one', rowsOf('a', 'b')]]), sent)).toEqual([]);
});

test.each([
  ['a lost message', rowsOf('a'), /1 of 2 acknowledged messages are lost/],
  ['a conversation that is lost', [], /2 of 2/],
  ['a doubled message', rowsOf('a', 'b', 'b'), /1 are doubled/],
  ['a message that nobody was told of', rowsOf('a', 'b', 'c'), /1 messages were never acknowledged/],
  ['a gap', [...rowsOf('a'), { conversation: 'one', id: 'b', position: 3 }], /have gaps/],
])('%s is found', (_, rows, fault) => {
  expect(judgeStored(new Map([['one', rows]]), sent).join()).toMatch(fault);
});

test('messages of before do no harm where there may be more', () => {
  expect(judgeStored(new Map([['one', rowsOf('z', 'a', 'b')]]), sent, { mayBeMore: true })).toEqual([]);
});
