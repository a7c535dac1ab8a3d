import type { ConversationType } from '@parley/contract/gen/records';
import { hasMistake, inputOf, mistakeOf, rulesOf, withRole } from './rules.ts';

const TYPE = {
  name: 'room',
  actions: { send: ['owner', 'member'], freeze: ['owner'] },
  features: { typing: true, reactions: false },
  create: 'users',
  creator_role: 'owner',
  newcomer_history: 'none',
  max_participants: null,
  slow_mode_in_seconds: 10,
  message_retention_in_seconds: null,
  edit_window_in_seconds: 60,
  delete_window_in_seconds: null,
  edit_history: 'none',
  push_level: 'all',
  live: false,
} as unknown as ConversationType;

test('a type that is saved as it was shown stays as it is, and keys that cannot be written are left out', () => {
  const { name, message_retention_in_seconds, live, ...written } = TYPE;
  expect([name, message_retention_in_seconds, live]).toEqual(['room', null, false]);
  expect(inputOf(rulesOf(TYPE), TYPE)).toEqual(written);
});

test('an empty limit is none, and a feature that is not chosen is off', () => {
  const rules = { ...rulesOf(TYPE), slowMode: '', editWindow: '', maxParticipants: '20', features: [] };
  expect(inputOf(rules, TYPE)).toMatchObject({
    slow_mode_in_seconds: 0,
    edit_window_in_seconds: null,
    max_participants: 20,
    features: { typing: false, reactions: false },
  });
});

test.each(['-', '1.5', -1, 21_601])(
  'a limit of %p is a mistake, which is not saved as no limit',
  (slowMode) => {
    const rules = { ...rulesOf(TYPE), slowMode };
    expect(mistakeOf(rules, 'slowMode')).toBe('A whole number from 0 to 21,600.');
    expect(hasMistake(rules)).toBe(true);
    expect(hasMistake(rulesOf(TYPE))).toBe(false);
  },
);

test('a role is given and taken, in the order of the roles', () => {
  const given = withRole(TYPE.actions, { action: 'send', role: 'moderator', isAllowed: true });
  expect(given.send).toEqual(['owner', 'moderator', 'member']);
  expect(withRole(given, { action: 'send', role: 'member', isAllowed: false }).send).toEqual([
    'owner',
    'moderator',
  ]);
  expect(given.freeze).toEqual(['owner']);
});
