import { createApp, textPart, uuidOf, type TestApp, type TestUser } from '../../support/app.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { isChange, type Packet } from '../../support/socket.ts';

let app: TestApp;
let ada: TestUser;
let bob: TestUser;

beforeAll(async () => {
  app = await createApp(await platform());
  [ada, bob] = await Promise.all([app.login('ada'), app.login('bob')]);
});

/** A conversation of a new type with the rules: Ada moderates, Bob is a member. */
async function createWith(type: string, rules: object): Promise<Json> {
  await app.server('PUT', `/types/${type}`, 200, { body: rules });
  const body = { participants: ['ada', 'bob'], roles: { ada: 'moderator' }, type };
  return (await app.server('POST', '/conversations', 201, { body })).body;
}
const path = ({ id }: { id: string }) => `/conversations/${uuidOf(id)}`;
const of = ({ id }: { id: string }) => `/messages/${uuidOf(id)}`;
const isMarkAllRead = ({ type, body }: Packet) =>
  type === 'operation' && body.method === 'Conversation.mark_all_read';
const all = '?mode=all_participants';
async function say(user: TestUser, conversation: Json): Promise<Json> {
  const body = { parts: [textPart('hi')] };
  return (await user.call('POST', `${path(conversation)}/messages`, 201, { body })).body;
}

describe('the windows of a type', () => {
  const parts = { body: [textPart('changed')] };

  test('end the edits of a sender, not those of a server, of metadata and of roles that edit any message', async () => {
    const made = await createWith('brief', {
      edit_window_in_seconds: 0,
      actions: { edit_any: ['moderator'] },
    });
    const message = await say(bob, made);
    expect((await bob.call('PUT', `${of(message)}/parts`, 403, parts)).body).toMatchObject({
      id: 'permission_denied',
      data: { reason: 'edit_window', action: 'edit_own' },
    });
    const steps = [{ operation: 'set', property: 'metadata.a', value: 'b' }];
    const headers = { 'content-type': 'application/vnd.svc-patch+json' };
    await bob.call('PATCH', of(message), 204, { body: steps, headers });
    await app.server('PUT', `${path(made)}${of(message)}/parts`, 200, parts);
    await ada.call('PUT', `${of(message)}/parts`, 200, { body: [textPart('moderated')] });
    const shown = (await bob.call('GET', of(message), 200)).body;
    expect(shown.parts[0].body).toBe('moderated');
    expect(shown.sender.user_id).toBe('bob');
  });

  test('end the deletions of a sender, not those of a server and of those who delete any message', async () => {
    const made = await createWith('kept', { delete_window_in_seconds: 0 });
    const [one, two] = [await say(bob, made), await say(bob, made)];
    expect((await bob.call('DELETE', `${of(one)}${all}`, 403)).body).toMatchObject({
      id: 'access_denied',
      data: { reason: 'delete_window', action: 'delete_own' },
    });
    await bob.call('DELETE', `${of(one)}?mode=my_devices`, 204);
    await ada.call('DELETE', `${of(one)}${all}`, 204);
    await app.server('DELETE', `${path(made)}${of(two)}`, 204);
  });

  test('are open until they end', async () => {
    const made = await createWith('long', { edit_window_in_seconds: 3600, delete_window_in_seconds: 3600 });
    const message = await say(bob, made);
    await bob.call('PUT', `${of(message)}/parts`, 200, parts);
    await bob.call('DELETE', `${of(message)}${all}`, 204);
  });
});

test('a role that lacks edit_any learns so where another role has it', async () => {
  const made = await createWith('edited', { actions: { edit_any: ['owner'] } });
  const message = await say(bob, made);
  const parts = { body: [textPart('changed')] };
  expect((await ada.call('PUT', `${of(message)}/parts`, 403, parts)).body).toMatchObject({
    id: 'permission_denied',
    data: { reason: 'role', action: 'edit_any' },
  });
  const plain = (await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } })).body;
  const other = await say(bob, plain);
  expect((await ada.call('PUT', `${of(other)}/parts`, 403, parts)).body.data).toBeNull();
});

describe('a type without receipts', () => {
  const body = { features: { receipts: false } };
  const unread = async (user: TestUser, made: Json) =>
    (await user.call('GET', path(made), 200)).body.unread_message_count;

  test('has the sender alone in recipient_status, and counts what is unread', async () => {
    const made = await createWith('quiet', body);
    const message = await say(ada, made);
    const only = { [ada.uri]: 'read' };
    expect(message.recipient_status).toEqual(only);
    const second = await say(ada, made);
    expect(await unread(bob, made)).toBe(2);
    await bob.call('POST', `${of(message)}/receipts`, 204, { body: { type: 'delivery' } });
    await bob.call('POST', `${of(message)}/receipts`, 204, { body: { type: 'read' } });
    expect(await unread(bob, made)).toBe(1);
    const { body: list } = await bob.call('GET', `${path(made)}/messages`, 200);
    expect(list.map(({ id, is_unread }: Json) => [id, is_unread])).toEqual([
      [second.id, true],
      [message.id, false],
    ]);
    for (const shown of list) expect(shown.recipient_status).toEqual(only);
    await bob.call('POST', `${path(made)}/mark_all_delivered`, 202);
    expect((await bob.call('POST', `${path(made)}/mark_all_read`, 202)).body).toEqual({ position: 2 });
    expect(await unread(bob, made)).toBe(0);
    expect((await ada.call('GET', of(message), 200)).body.recipient_status).toEqual(only);
    const asServer = await app.server('GET', `${path(made)}${of(message)}`, 200);
    expect(asServer.body.recipient_status).toEqual(only);
    expect((await ada.call('GET', path(made), 200)).body.last_message.recipient_status).toEqual(only);
  });

  test('tells the reader’s own devices alone what was read', async () => {
    const made = await createWith('silent', body);
    const [own, other] = await Promise.all([bob.connect(), ada.connect()]);
    const message = await say(ada, made);
    const created = await own.waitFor('the message', isChange('create', 'Message', message.id));
    expect(created.body.data.recipient_status).toEqual({ [ada.uri]: 'read' });
    await bob.call('POST', `${of(message)}/receipts`, 204, { body: { type: 'read' } });
    const told = await own.waitFor('the receipt', isChange('update', 'Message', message.id));
    expect(told.body.data).toEqual([
      { operation: 'set', property: `recipient_status.${bob.uri}`, value: 'read' },
    ]);
    await say(ada, made);
    await bob.call('POST', `${path(made)}/mark_all_read`, 202);
    await own.waitFor('the operation', isMarkAllRead);
    const last = await say(bob, made);
    await other.waitFor('the last message', isChange('create', 'Message', last.id));
    expect(other.packets.filter(isMarkAllRead)).toEqual([]);
    expect(other.packets.filter(isChange('update', 'Message'))).toEqual([]);
    await Promise.all([own.close(), other.close()]);
  });
});
