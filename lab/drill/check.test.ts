import type { History, Observed } from '../faults/history.ts';
import { checkRestored, type Before } from './check.ts';

const sent = { id: 'm1', conversation: 'c', sender: 'ada', position: 1, hiddenFrom: [], deleted: false };
const history: History = {
  sent: [sent, { ...sent, id: 'm2', position: 2 }],
  read: new Map([['bob', new Set(['m1'])]]),
  announced: [],
  faults: [],
};
const before: Before = { history, uploaded: [{ message: 'm1', hash: 'aa' }], members: new Map() };
const listed = [
  { id: 'm2', position: 2, isUnread: true },
  { id: 'm1', position: 1, isUnread: false },
];
const webhooks = ['m1', 'm2'].map((message) => ({
  message,
  event: `e-${message}`,
  delivery: `d-${message}`,
}));

function observed(messages: typeof listed, unread: number): Observed {
  const list = { user: 'bob', conversation: 'c', listed: messages, unread, total: messages.length };
  const exported = messages.map(({ id }) => id);
  return { lists: [list], sockets: [], announcements: [], webhooks, exported };
}

test('a platform that shows what was acknowledged before the moment is right', () => {
  const downloaded = [{ message: 'm1', hash: 'aa' }];
  expect(checkRestored(before, { observed: observed(listed, 1), downloaded })).toEqual([]);
});

test('lost and later messages, other unread numbers and lost content are found', () => {
  const later = [{ id: 'm3', position: 2, isUnread: true }, listed[1]!];
  const problems = checkRestored(before, { observed: observed(later, 2), downloaded: [{ message: 'm1' }] });
  expect(problems).toEqual([
    'messages of c, shown to bob: m2 is lost',
    'messages of c, shown to bob: m3 must not be there',
    'messages of c, shown to bob: 2 are counted as unread instead of 1',
    'the export: m2 is lost',
    'the export: m3 must not be there',
    'the content of m1 cannot be downloaded',
  ]);
  const changed = { observed: observed(listed, 1), downloaded: [{ message: 'm1', hash: 'bb' }] };
  expect(checkRestored(before, changed)).toEqual(['the content of m1 is another']);
});
