import type { ConversationType } from '@parley/contract/gen/records';
import { ACTIONS, FEATURES } from '@parley/contract/policy';
import { mayDo, type Action } from '../../src/records/policy.ts';
import type { Step } from '../../src/records/records.ts';
import { conversationCreated, conversationUpdated, ME, testRecords } from './records.ts';

function set(property: string, value: unknown): Step {
  return { operation: 'set', property, value };
}

/** The unchanged `default`, but for some features. */
function typeWith(features: Partial<ConversationType['features']> = {}): ConversationType {
  const on = Object.fromEntries(FEATURES.map((feature) => [feature, true]));
  const type = { name: 'default', actions: ACTIONS, features: { ...on, ...features } };
  return type as unknown as ConversationType;
}

/** Which of some actions the user may take after changes, before and after the types were read. */
async function allowed(steps: readonly Step[], type = typeWith()): Promise<[Action[], Action[]]> {
  const records = await testRecords();
  await records.apply(conversationCreated(), conversationUpdated(...steps));
  const conversation = records.conversation()!;
  const asked = ['send', 'react', 'edit_own', 'freeze', 'delete_own'] as const;
  const among = (types: ConversationType[] | undefined) =>
    asked.filter((action) => mayDo(conversation, action, { me: ME, types }));
  return [among(undefined), among([type])];
}

test.each([
  ['a member', [], ['send', 'react', 'edit_own', 'delete_own']],
  ['a moderator', [set(`roles.${ME}`, 'moderator')], ['send', 'react', 'edit_own', 'freeze', 'delete_own']],
  ['an observer', [set(`roles.${ME}`, 'observer')], []],
  ['a member of a frozen conversation', [set('frozen', { at: '', by: null })], ['delete_own']],
  ['who is muted', [set('restriction', { type: 'mute', until: null })], ['delete_own']],
  [
    'who was muted until a moment ago',
    [set('restriction', { type: 'mute', until: '2020-01-01T00:00:00.000Z' })],
    ['send', 'react', 'edit_own', 'delete_own'],
  ],
])('%s may do what the default type says', async (_, steps, expected) => {
  const [, afterwards] = await allowed(steps);
  expect(afterwards).toEqual(expected);
});

test.each([
  ['owner', ['send', 'react', 'edit_own', 'freeze', 'delete_own']],
  ['moderator', ['send', 'react', 'edit_own', 'freeze', 'delete_own']],
  ['member', ['send', 'react', 'edit_own', 'delete_own']],
  ['observer', []],
])(
  'before the types are known a user of the role %s may do what it does by default',
  async (role, expected) => {
    const [before] = await allowed([set(`roles.${ME}`, role)]);
    expect(before).toEqual(expected);
  },
);

test('nobody reacts where the type has no reactions', async () => {
  const [, afterwards] = await allowed([], typeWith({ reactions: false }));
  expect(afterwards).not.toContain('react');
});
