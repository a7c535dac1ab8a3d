import { PresenceStatus } from '@parley/proto/parley/identity/v1/presence_service_pb';
import { create } from '@bufbuild/protobuf';
import { IdentitySchema, IdentityType } from '@parley/proto/parley/identity/v1/identity_pb';
import { appId, basicIdentity, sentAt, viewOf } from '../testing/samples.ts';
import { basicIdentityJson, identityJson } from './identity.ts';

test('a BasicIdentity has nulls for what is absent, and addresses of the view', () => {
  const joe = basicIdentity('joe@x');
  expect(basicIdentityJson(viewOf('client', 'bob'), joe)).toEqual({
    id: 'svc:///identities/joe%40x',
    url: 'https://chat.example/identities/joe%40x',
    user_id: 'joe@x',
    display_name: null,
    avatar_url: null,
  });
  const root = `https://chat.example/apps/${appId}`;
  expect(basicIdentityJson(viewOf('server'), joe).url).toBe(`${root}/users/joe%40x/identity`);
  expect(basicIdentityJson(viewOf('user', 'a/b'), joe).url).toBe(`${root}/users/a%2Fb/identities/joe%40x`);
});

test('a user id that cannot be encoded is shown and does not throw', () => {
  expect(basicIdentityJson(viewOf('client'), basicIdentity('a\ud800')).id).toBe(
    'svc:///identities/a%EF%BF%BD',
  );
});

const bot = create(IdentitySchema, {
  appId,
  userId: 'bot',
  type: IdentityType.BOT,
  displayName: 'Bot',
  metadata: { a: 'b' },
});

test('an Identity has every key', () => {
  expect(identityJson(viewOf('client', 'bob'), bot)).toEqual({
    id: 'svc:///identities/bot',
    url: 'https://chat.example/identities/bot',
    user_id: 'bot',
    display_name: 'Bot',
    avatar_url: null,
    type: 'Bot',
    identity_type: 'bot',
    first_name: null,
    last_name: null,
    phone_number: null,
    email_address: null,
    public_key: null,
    metadata: { a: 'b' },
    presence: { status: 'offline', last_seen_at: null },
  });
});

test('who is invisible is offline to everybody else', () => {
  const presence = { status: PresenceStatus.INVISIBLE, lastSeenAt: sentAt };
  expect(identityJson(viewOf('client', 'bob'), bot, presence).presence).toEqual({
    status: 'offline',
    last_seen_at: '2026-11-20T20:15:30.123Z',
  });
  expect(identityJson(viewOf('client', 'bot'), bot, presence).presence.status).toBe('invisible');
});
