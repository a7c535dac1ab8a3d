import { uuidOf, wireNameOf } from './app-ids.ts';

test.each([
  ['svc:///conversations/0199', '0199'],
  ['svc:///apps/0199/webhooks/0200', '0200'],
  ['0199', '0199'],
])('the UUID of %s is %s', (uri, uuid) => {
  expect(uuidOf(uri)).toBe(uuid);
});

test('the scheme of an application is the wire name of its deployment', () => {
  expect(wireNameOf({ appUuid: '0199', id: 'chat:///apps/production/0199' })).toBe('chat');
});
