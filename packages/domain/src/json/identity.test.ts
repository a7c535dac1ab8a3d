import { PresenceStatus } from '@parley/proto/parley/identity/v1/presence_service_pb';
import { create } from '@bufbuild/protobuf';
import { IdentitySchema, IdentityType } from '@parley/proto/parley/identity/v1/identity_pb';
import { appId, basicIdentity, sampleEvent, sentAt, viewOf } from '../testing/samples.ts';
import { changeBodies } from './change.ts';
import { basicIdentityJson, identityJson } from './identity.ts';
import type { View } from './view.ts';
import { webhookBodyJson } from './webhook-body.ts';

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

const PHONE = '+44 1';
const EMAIL = 'ada@x.example';
const ada = create(IdentitySchema, { appId, userId: 'ada', phoneNumber: PHONE, emailAddress: EMAIL });

type Shown = [phoneNumber: unknown, emailAddress: unknown];

/** The private fields in each form of an identity; undefined if the form has no such key. */
const FORMS: Record<string, (view: View) => Shown> = {
  'the record': (view) => fieldsOf(identityJson(view, ada)),
  'create Identity': (view) => {
    const value = { identity: ada, created: true };
    const [change] = changeBodies(view, sampleEvent({ case: 'identityChanged', value }));
    return fieldsOf(change!.data);
  },
  'update Identity': (view) => {
    const value = { identity: ada, fields: ['phone_number', 'email_address'] };
    const [change] = changeBodies(view, sampleEvent({ case: 'identityChanged', value }));
    if (change?.operation !== 'update') return [undefined, undefined];
    const steps = change.data.map(({ property, value: shown }) => [property, shown] as const);
    return fieldsOf(Object.fromEntries(steps));
  },
};

function fieldsOf(json: object): Shown {
  const { phone_number, email_address } = json as Record<string, unknown>;
  return [phone_number, email_address];
}

const ALL: Shown = [PHONE, EMAIL];
const BOTH = ['phone_number', 'email_address'] as const;

/** The fields that a reader sees; null stands for a hidden one. */
const READERS: [reader: string, view: View, shown: Shown][] = [
  ['another user', viewOf('client', 'bob'), [null, null]],
  ['another user, with an empty setting', open('bob', []), [null, null]],
  ['another user, with open phone numbers', open('bob', ['phone_number']), [PHONE, null]],
  ['another user, with open addresses', open('bob', ['email_address']), [null, EMAIL]],
  ['another user, with both open', open('bob', BOTH), ALL],
  ['a user with a similar id', viewOf('client', 'ada '), [null, null]],
  ['all users alike', viewOf('client'), [null, null]],
  ['all users alike, with both open', open(undefined, BOTH), ALL],
  ['the user', viewOf('client', 'ada'), ALL],
  ['the user, with an empty setting', open('ada', []), ALL],
  ['a server', viewOf('server'), ALL],
  ['a server that acts as another user', viewOf('user', 'bob'), ALL],
];

function open(userId: string | undefined, publicIdentityFields: View['publicIdentityFields'] & object): View {
  return { ...viewOf('client', userId), publicIdentityFields };
}

describe.each(READERS)('%s', (_, view, shown) => {
  test.each(Object.entries(FORMS))('reads the private fields that they may read in %s', (form, read) => {
    // The change of a hidden field produces no step.
    const hidden = form === 'update Identity' ? undefined : null;
    expect(read(view)).toEqual(shown.map((value) => value ?? hidden));
  });
});

test('no packet tells other users that a private field changed', () => {
  const value = { identity: ada, fields: ['phone_number', 'email_address'] };
  const event = sampleEvent({ case: 'identityChanged', value });
  expect(changeBodies(viewOf('client', 'bob'), event)).toEqual([]);
});

test('a webhook gets the private fields', () => {
  const event = sampleEvent({ case: 'identityChanged', value: { identity: ada } });
  const body = webhookBodyJson(viewOf('server'), { type: 'Identity.updated', event }, {});
  expect(body).toMatchObject({ identity: { phone_number: PHONE, email_address: EMAIL } });
});
