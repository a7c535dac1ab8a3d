import { check, type History, type Observed, type Sent } from './history.ts';

// The checker of a campaign of faults finds each kind of broken promise.

const members = new Map([['c', ['ada', 'bob']]]);
const first: Sent = {
  ...{ id: 'one', conversation: 'c', sender: 'ada', position: 1 },
  ...{ hiddenFrom: [], deleted: false },
};
const second: Sent = { ...first, id: 'two', position: 2 };

function worldOf(change: (history: History, observed: Observed) => void = () => undefined) {
  const history: History = {
    sent: [{ ...first }, { ...second }],
    read: new Map([['bob', new Set(['one'])]]),
    announced: ['news'],
    faults: [],
  };
  const observed: Observed = {
    lists: [
      {
        ...{ user: 'bob', conversation: 'c', unread: 1, total: 2 },
        listed: [
          { id: 'two', position: 2, isUnread: true },
          { id: 'one', position: 1, isUnread: false },
        ],
      },
    ],
    sockets: [{ user: 'bob', socket: 'socket', messages: ['one', 'two'], announcements: ['news'] }],
    announcements: [{ user: 'bob', ids: ['news'] }],
    webhooks: [
      { message: 'one', event: 'e1', delivery: 'd1' },
      { message: 'one', event: 'e1', delivery: 'd1' },
      { message: 'two', event: 'e2', delivery: 'd2' },
    ],
    exported: ['one', 'two'],
  };
  change(history, observed);
  return check(history, observed, members);
}

test('a history in which every promise is kept has no problem', () => {
  expect(worldOf()).toEqual([]);
});

test.each<[string, RegExp, (history: History, observed: Observed) => void]>([
  ['an unexpected answer', /^GET/, ({ faults }) => void faults.push('GET /: 500')],
  ['two messages at one position', /have one position/, ({ sent }) => void (sent[1]!.position = 1)],
  ['a lost message', /two is lost/, (_, { lists }) => void lists[0]!.listed.shift()],
  [
    'a repeated message',
    /more than once/,
    (_, { lists }) => void lists[0]!.listed.push(lists[0]!.listed[0]!),
  ],
  ['a list out of order', /out of order/, (_, { lists }) => void lists[0]!.listed.reverse()],
  ['a position that changed', /another position/, (_, { lists }) => void (lists[0]!.listed[0]!.position = 3)],
  ['a sender out of order', /stands before/, ({ sent }) => void sent.reverse()],
  ['a deleted message', /must not be there/, ({ sent }) => void (sent[0]!.deleted = true)],
  ['a message of a blocked sender', /must not be there/, ({ sent }) => void (sent[0]!.hiddenFrom = ['bob'])],
  ['the same at a socket', /is blocked/, ({ sent }) => void (sent[0]!.hiddenFrom = ['bob'])],
  ['a lost receipt', /one is unread/, (_, { lists }) => void (lists[0]!.listed[1]!.isUnread = true)],
  ['a wrong unread count', /counted as unread/, (_, { lists }) => void (lists[0]!.unread = 2)],
  ['a wrong count', /3 are counted/, (_, { lists }) => void (lists[0]!.total = 3)],
  ['a gap at a socket', /two did not come/, (_, { sockets }) => void sockets[0]!.messages.pop()],
  [
    'no announcement at a socket',
    /news did not come/,
    (_, { sockets }) => void sockets[0]!.announcements.pop(),
  ],
  ['a lost announcement', /news is lost/, (_, { announcements }) => void announcements[0]!.ids.pop()],
  ['a repeated one', /more than once/, (_, { announcements }) => void announcements[0]!.ids.push('news')],
  ['no notification', /no webhook told of two/, (_, { webhooks }) => void webhooks.pop()],
  ['one message as two events', /as two events/, (_, { webhooks }) => void (webhooks[1]!.event = 'e3')],
  [
    'one event as two deliveries',
    /more than one id/,
    (_, { webhooks }) => void (webhooks[1]!.delivery = 'd3'),
  ],
  ['an incomplete export', /the export: two is lost/, (_, { exported }) => void exported.pop()],
])('%s is found', (_what, problem, change) => {
  expect(worldOf(change).some((sentence) => problem.test(sentence))).toBe(true);
});
