import { check, type History, type Observed, type Sent } from './history.ts';
import type { Push, Pushes } from './pushes.ts';

// The checker of a campaign of faults finds each kind of broken promise.

const members = new Map([['c', ['ada', 'bob']]]);
const first: Sent = {
  ...{ id: 'one', conversation: 'c', sender: 'ada', position: 1 },
  ...{ hiddenFrom: [], deleted: false },
};
const second: Sent = { ...first, id: 'two', position: 2 };

function pushOf(message: string): Push {
  return { device: 'phone', message, topic: `t-${message}`, tag: message, isTaken: true, at: 0 };
}

function worldOf(change: (history: History, observed: Observed) => void = () => undefined) {
  const history: History = {
    sent: [{ ...first }, { ...second }],
    read: new Map([['bob', new Set(['one'])]]),
    announced: ['news'],
    contents: [{ id: 'photo', hash: 'aa', size: 2 }],
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
    pushes: {
      devices: [{ user: 'bob', device: 'phone' }],
      requests: ['one', 'two', 'two'].map(pushOf),
      faults: [],
    },
    contents: [{ id: 'photo', hash: 'aa', size: 2 }],
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
  [
    'a webhook that is not told what is sent after its activation',
    /two was sent 5 ms after a webhook became active/,
    ({ sent }, observed) => {
      Object.assign(sent[0]!, { begunAt: 90 });
      Object.assign(sent[1]!, { begunAt: 105 });
      observed.activated = [{ since: 100, messages: new Set() }];
    },
  ],
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
  ['the same at a socket', /is hidden/, ({ sent }) => void (sent[0]!.hiddenFrom = ['bob'])],
  ['a lost receipt', /one is unread/, (_, { lists }) => void (lists[0]!.listed[1]!.isUnread = true)],
  ['a wrong unread count', /counted as unread/, (_, { lists }) => void (lists[0]!.unread = 2)],
  ['a wrong count', /3 are counted/, (_, { lists }) => void (lists[0]!.total = 3)],
  [
    'a shadowed message that counts',
    /2 are counted instead of 1/,
    ({ sent }) => void (sent[1]!.shadowed = true),
  ],
  [
    'a lost reaction',
    /one: 0 react with tada instead of 1/,
    (history, { lists }) => {
      history.reacted = new Map([['one', new Map([['tada', new Set(['ada'])]])]]);
      lists[0]!.listed[1]!.reactions = new Map();
    },
  ],
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
  ['a lost content', /photo is lost/, (_, { contents }) => void contents!.pop()],
  ['half of a content', /has 1 bytes instead of 2/, (_, { contents }) => void (contents![0]!.size = 1)],
  [
    'a content of other bytes',
    /photo has other bytes/,
    (_, { contents }) => void (contents![0]!.hash = 'bb'),
  ],
  ['an incomplete export', /the export: two is lost/, (_, { exported }) => void exported.pop()],
])('%s is found', (_what, problem, change) => {
  expect(worldOf(change).some((sentence) => problem.test(sentence))).toBe(true);
});

type Change = (pushes: Pushes, sent: Sent[]) => void;
function pushProblems(change: Change): string[] {
  return worldOf(({ sent }, { pushes }) => change(pushes!, sent)).filter((one) => /push/.test(one));
}
/** Removes the push of the first message. */
function forget({ requests }: Pushes): void {
  requests.shift();
}

test.each<[string, RegExp, Change]>([
  ['a missing push', /two was not pushed/, ({ requests }) => void (requests.length = 1)],
  [
    'one that was always refused',
    /two was not pushed/,
    ({ requests }) => requests.forEach((one) => (one.isTaken = false)),
  ],
  [
    'one of an unknown message',
    /three must not be pushed/,
    ({ requests }) => void requests.push(pushOf('three')),
  ],
  ['one of an own message', /one must not be pushed/, (_, sent) => void (sent[0]!.sender = 'bob')],
  ['one of a blocked sender', /one must not be pushed/, (_, sent) => void (sent[0]!.hiddenFrom = ['bob'])],
  [
    'one of another conversation',
    /one must not be pushed/,
    (_, sent) => void (sent[0]!.conversation = 'other'),
  ],
  [
    'one long after a deletion',
    /one was pushed 12000 ms after its deletion/,
    (_, sent) => void Object.assign(sent[0]!, { deleted: true, deletedAt: -12_000 }),
  ],
  ['a second topic', /two have more than one topic/, ({ requests }) => void (requests[2]!.topic = 'other')],
  ['a second tag', /two have more than one tag/, ({ requests }) => void (requests[2]!.tag = 'other')],
  [
    'a topic of two messages',
    /pushes of several messages have the topic t-two/,
    ({ requests }) => void (requests[0]!.topic = 't-two'),
  ],
  [
    'a tag of two messages',
    /pushes of several messages have the tag two/,
    ({ requests }) => void (requests[0]!.tag = 'two'),
  ],
  ['a broken rule of Web Push', /push service: no TTL/, ({ faults }) => void faults.push('no TTL')],
])('of pushes, %s is found', (_what, problem, change) => {
  expect(pushProblems(change).some((sentence) => problem.test(sentence))).toBe(true);
});

test.each<[string, Change]>([
  ['was read', () => undefined],
  ['was deleted', (_, sent) => void (sent[0]!.deleted = true)],
  [
    'is of a sender whom the user blocked at another time',
    (_, sent) => sent.push({ ...first, id: 'zero', hiddenFrom: ['bob'] }),
  ],
])('a message that %s may be without a push', (_what, change) => {
  const problems = pushProblems((pushes, sent) => {
    forget(pushes);
    change(pushes, sent);
  });
  expect(problems).toEqual([]);
});
