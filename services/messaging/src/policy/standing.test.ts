import { DEFAULT_RULES } from '@parley/domain/policy';
import { findRefusal, permissionsOf, type Standing } from './standing.ts';

const NOW = 1_000;
const MEMBER: Standing = { rules: DEFAULT_RULES, role: null, isFrozen: false, mute: null };

test('a member of the unchanged default may do what users could always do', () => {
  expect(findRefusal(MEMBER, 'delete_any', NOW)).toBeUndefined();
  expect(findRefusal(MEMBER, 'remove_participants', NOW)).toBeUndefined();
  expect(permissionsOf(MEMBER, NOW)).toEqual(expect.arrayContaining(['send', 'react', 'delete_any']));
});

test('an action that the role lacks is refused with the reason role', () => {
  expect(findRefusal({ ...MEMBER, role: 'observer' }, 'send', NOW)).toEqual({
    reason: 'role',
    action: 'send',
  });
  expect(findRefusal(MEMBER, 'freeze', NOW)).toEqual({ reason: 'role', action: 'freeze' });
});

test('a feature that the type switches off is refused with the reason type', () => {
  const standing: Standing = { ...MEMBER, rules: { features: { reactions: false } } };
  expect(findRefusal(standing, 'react', NOW)).toEqual({ reason: 'type', action: 'react' });
});

test('a frozen conversation is left to those who may send when it is frozen', () => {
  expect(findRefusal({ ...MEMBER, isFrozen: true }, 'edit_own', NOW)).toMatchObject({ reason: 'frozen' });
  expect(findRefusal({ ...MEMBER, isFrozen: true, role: 'moderator' }, 'send', NOW)).toBeUndefined();
  expect(findRefusal({ ...MEMBER, isFrozen: true }, 'delete_own', NOW)).toBeUndefined();
});

test('a mute ends by the clock', () => {
  const standing: Standing = { ...MEMBER, mute: { until: NOW + 1 } };
  expect(findRefusal(standing, 'send', NOW)).toEqual({ reason: 'muted', action: 'send', until: NOW + 1 });
  expect(findRefusal(standing, 'send', NOW + 1)).toBeUndefined();
  expect(findRefusal({ ...MEMBER, mute: { until: null } }, 'react', NOW)).toMatchObject({ until: null });
});

test('permissions leave out what a mute forbids at the moment', () => {
  const rules = { actions: { delete_any: [] } };
  expect(permissionsOf({ ...MEMBER, rules, mute: { until: null } }, NOW)).toEqual([
    'delete_own',
    'delete_conversation',
    'add_participants',
    'remove_participants',
    'patch_metadata',
    'notify',
  ]);
});
