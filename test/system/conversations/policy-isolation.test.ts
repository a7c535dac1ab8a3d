import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';

/** Callers without the right: a user of another application, one who never took part, one who was removed, or an observer. */
type Caller = 'stranger' | 'outsider' | 'former' | 'observer';
type Refusal = { status: number; reason?: string };

let app: TestApp;
let conversation: Json;
let message: Json;
const callers = {} as Record<Caller | 'owner' | 'ada', TestUser>;

beforeAll(async () => {
  app = await createApp(await platform());
  const other = await createApp(await platform());
  const names = ['outsider', 'former', 'observer', 'owner', 'ada'] as const;
  for (const name of names) callers[name] = await app.login(name);
  callers.stranger = await other.login('ada');
  const body = {
    participants: ['former', 'observer', 'owner', 'ada'],
    roles: { owner: 'owner', observer: 'observer' },
  };
  conversation = (await app.server('POST', '/conversations', 201, { body })).body;
  const parts = { body: { parts: [textPart('hi')] } };
  message = (await callers.ada.call('POST', `${path()}/messages`, 201, parts)).body;
  const leave = steps({ operation: 'remove', property: 'participants', id: 'former' });
  await app.server('PATCH', path(), 204, leave);
});

const path = () => `/conversations/${uuidOf(conversation.id)}`;
const steps = (...body: Json[]) => ({ body, headers: { 'content-type': 'application/vnd.svc-patch+json' } });
const set = (property: string, value: unknown) => steps({ operation: 'set', property, value });

type Operation = { method: string; at(): string; with?: object; action: string };

/** Every operation of roles, restrictions, freezing, slow mode, reactions and metadata. */
const OPERATIONS: Record<string, Operation> = {
  'give a role': { method: 'PATCH', at: path, with: set('roles.ada', 'moderator'), action: 'set_roles' },
  freeze: { method: 'PATCH', at: path, with: set('frozen', true), action: 'freeze' },
  'set slow mode': {
    ...{ method: 'PATCH', at: path, with: set('slow_mode_in_seconds', 5) },
    action: 'restrict',
  },
  'patch metadata': { method: 'PATCH', at: path, with: set('metadata.a', 'b'), action: 'patch_metadata' },
  mute: {
    ...{ method: 'PUT', at: () => `${path()}/restrictions/ada`, with: { body: { type: 'mute' } } },
    action: 'restrict',
  },
  ban: {
    ...{ method: 'PUT', at: () => `${path()}/restrictions/ada`, with: { body: { type: 'ban' } } },
    action: 'restrict',
  },
  'end a restriction': {
    ...{ method: 'DELETE', at: () => `${path()}/restrictions/ada`, action: 'restrict' },
  },
  'list restrictions': { method: 'GET', at: () => `${path()}/restrictions`, action: 'restrict' },
  react: { method: 'PUT', at: () => `/messages/${uuidOf(message.id)}/reactions/tada`, action: 'react' },
  'take a reaction back': {
    ...{ method: 'DELETE', at: () => `/messages/${uuidOf(message.id)}/reactions/tada`, action: 'react' },
  },
  send: {
    ...{ method: 'POST', at: () => `${path()}/messages`, with: { body: { parts: [textPart('no')] } } },
    action: 'send',
  },
};

const REFUSALS: Record<Caller, Refusal> = {
  stranger: { status: 404 },
  outsider: { status: 404 },
  former: { status: 403 },
  observer: { status: 403, reason: 'role' },
};

const rows = Object.keys(OPERATIONS).flatMap((name) =>
  (Object.keys(REFUSALS) as Caller[]).map((caller) => [caller, name] as const),
);

test.each(rows)('%s may not: %s', async (caller, name) => {
  const { method, at, with: request, action } = OPERATIONS[name]!;
  const { status, reason } = REFUSALS[caller];
  const before = await look();
  const { body } = await callers[caller].call(method, at(), status, request);
  if (reason) expect(body).toMatchObject({ id: 'access_denied', data: { reason, action } });
  expect(await look()).toEqual(before);
});

async function look(): Promise<unknown[]> {
  const [shown, restrictions, messages] = await Promise.all([
    callers.owner.call('GET', path(), 200),
    callers.owner.call('GET', `${path()}/restrictions`, 200),
    callers.owner.call('GET', `${path()}/messages`, 200),
  ]);
  return [shown.body, restrictions.body, messages.body];
}

test('the types of an application are read by its own users, and written by servers alone', async () => {
  await app.server('PUT', '/types/room', 200, { body: { creator_role: 'owner' } });
  const names = async (user: TestUser) =>
    (await user.call('GET', '/types', 200)).body.map(({ name }: Json) => name);
  expect(await names(callers.ada)).toContain('room');
  expect(await names(callers.stranger)).not.toContain('room');
  await callers.owner.call('PUT', `/apps/${app.appUuid}/types/room`, 401, { body: {} });
  await callers.owner.call('PUT', `/apps/${app.appUuid}/users/ada/restriction`, 401, {
    body: { type: 'mute' },
  });
});

test('a restriction is shown to the restricted user alone, and frozen and roles to every participant', async () => {
  await app.server('PUT', `${path()}/restrictions/ada`, 204, { body: { type: 'mute', reason: 'Secret' } });
  await app.server('PATCH', path(), 204, set('frozen', true));
  const read = async (user: TestUser) => (await user.call('GET', path(), 200)).body;
  expect(await read(callers.ada)).toMatchObject({ restriction: { reason: 'Secret' } });
  for (const caller of ['owner', 'observer', 'former'] as const)
    expect(JSON.stringify(await read(callers[caller]))).not.toContain('Secret');
  const { roles, frozen } = await read(callers.observer);
  expect(roles).toEqual({ [callers.owner.uri]: 'owner', [callers.observer.uri]: 'observer' });
  expect(frozen).toMatchObject({ by: null });
  expect(await read(callers.former)).not.toHaveProperty('roles');
});
