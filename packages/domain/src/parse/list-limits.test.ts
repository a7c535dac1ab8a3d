import { limits } from '@parley/contract/limits';
import { failureOf } from '../testing/failure.ts';
import { createWire } from '../wire.ts';
import { parseIdentity } from './identity.ts';
import { parseIdentityList } from './identity-refs.ts';
import { parseNotificationRequest } from './notification-request.ts';
import { parsePresenceIds, parsePresencePatch } from './presence.ts';
import { parseUserPatch } from './user-patch.ts';

const wire = createWire('svc');
const names = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`);

test('a list of identities may have a length that it does not exceed', () => {
  const bounds = { property: 'user_ids', most: 3 };
  expect(parseIdentityList(wire, names(3), bounds)).toHaveLength(3);
  expect(failureOf(() => parseIdentityList(wire, names(4), bounds))).toBe('invalid_property user_ids');
});

test('the ids of a presence request have a limit', () => {
  expect(parsePresenceIds(wire, { ids: names(3) }, 3)).toHaveLength(3);
  expect(failureOf(() => parsePresenceIds(wire, { ids: names(4) }, 3))).toBe('invalid_property ids');
});

test('the recipients of a push without a message have a limit', () => {
  const parse = (count: number) =>
    parseNotificationRequest(wire, { recipients: names(count), notification: { text: 'hello' } });
  expect(parse(limits.notificationRecipients).userIds).toHaveLength(limits.notificationRecipients);
  expect(failureOf(() => parse(limits.notificationRecipients + 1))).toBe('invalid_property recipients');
});

test.each([
  [
    'of a user',
    (steps: unknown[]) => parseUserPatch(wire, steps),
    { operation: 'add', property: 'blocks', id: 'bob' },
  ],
  [
    'of an identity',
    (steps: unknown[]) => parseIdentity(steps, 'update'),
    { operation: 'set', property: 'display_name', value: 'Bob' },
  ],
  ['of a presence', parsePresencePatch, { operation: 'set', property: 'status', value: 'away' }],
])('the steps of a patch %s have a limit', (_record, parse, step) => {
  const steps = new Array<unknown>(limits.patchOperations).fill(step);
  expect(() => parse(steps)).not.toThrow();
  expect(failureOf(() => parse([...steps, step]))).toBe(`invalid_property ${limits.patchOperations}`);
});
