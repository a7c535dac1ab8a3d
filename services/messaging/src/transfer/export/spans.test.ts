import { spansOf } from './spans.ts';

function chunk(heads: number[]) {
  return {
    chunk: 0,
    conversation_ids: heads.map((_, index) => `c${index}`),
    heads,
  };
}

test('small conversations are read together and a large one in steps, each message exactly once', () => {
  expect([...spansOf(chunk([2, 0, 3, 9]), 4)]).toEqual([
    [
      { conversationId: 'c0', first: 1, last: 2 },
      { conversationId: 'c2', first: 1, last: 2 },
    ],
    [
      { conversationId: 'c2', first: 3, last: 3 },
      { conversationId: 'c3', first: 1, last: 3 },
    ],
    [{ conversationId: 'c3', first: 4, last: 7 }],
    [{ conversationId: 'c3', first: 8, last: 9 }],
  ]);
});

test('nothing is read of conversations without messages', () => {
  expect([...spansOf(chunk([0, 0]), 4)]).toEqual([]);
  expect([...spansOf(chunk([]), 4)]).toEqual([]);
});
