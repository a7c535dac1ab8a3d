import { createApp, identityUri, textPart, type TestApp, type TestUser } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';

let app: TestApp;

beforeAll(async () => {
  app = await createApp(await platform());
});

function segment(userId: string): string {
  return encodeURIComponent(userId);
}
async function followedBy(user: TestUser): Promise<string[]> {
  return (await user.call('GET', '/following', 200)).body as string[];
}
function untilFollowed(user: TestUser, expected: string[]) {
  return until(`${user.id} follows ${expected.join(', ')}`, async () => {
    const ids = await followedBy(user);
    return JSON.stringify(ids) === JSON.stringify(expected) || undefined;
  });
}
async function converse(user: TestUser, others: string[]): Promise<string> {
  return (await user.call('POST', '/conversations', 201, { body: { participants: others } })).body.url;
}

test('users who share a conversation follow each other, within a second, and no other users', async () => {
  const [ada, bob] = [await app.login('share-ada'), await app.login('share-bob')];
  await app.login('share-carol');
  await converse(ada, ['share-bob']);
  await untilFollowed(ada, ['share-bob']);
  await untilFollowed(bob, ['share-ada']);
  await ada.call('GET', '/following/users/share-bob', 204);
  const { body } = await ada.call('GET', '/following/users/share-carol', 404);
  expect(body).toMatchObject({ id: 'not_found', code: 102 });
});

test('an explicit follow has one direction, and unfollowing ends it', async () => {
  const ada = await app.login('explicit-ada');
  const odd = await app.login("odd !~'()/ünï✓");
  await ada.call('PUT', `/following/users/${segment(odd.id)}`, 204);
  await ada.call('PUT', `/following/users/${segment(odd.id)}`, 204);
  expect(await followedBy(ada)).toEqual([odd.id]);
  expect(await followedBy(odd)).toEqual([]);
  const { body } = await ada.call('GET', '/identities', 200);
  expect(body).toMatchObject([{ id: identityUri(odd.id), user_id: odd.id, type: 'User' }]);
  await ada.call('DELETE', `/following/users/${segment(odd.id)}`, 204);
  await ada.call('DELETE', `/following/users/${segment(odd.id)}`, 204);
  expect(await followedBy(ada)).toEqual([]);
});

test('unfollowing holds for the present shared conversations, and ends with a later one', async () => {
  const ada = await app.login('again-ada');
  await app.login('again-bob');
  const url = await converse(ada, ['again-bob']);
  await untilFollowed(ada, ['again-bob']);
  await ada.call('DELETE', '/following/users/again-bob', 204);
  expect(await followedBy(ada)).toEqual([]);
  await ada.call('POST', `${url}/messages`, 201, { body: { parts: [textPart('hello')] } });
  await ada.call('PATCH', url, 204, {
    body: [{ operation: 'set', property: 'metadata.a', value: 'b' }],
  });
  expect(await followedBy(ada)).toEqual([]);
  await converse(ada, ['again-bob']);
  await untilFollowed(ada, ['again-bob']);
});

test('a user who was in the conversation at another time is not followed', async () => {
  const ada = await app.login('time-ada');
  const carol = await app.login('time-carol');
  await app.login('time-bob');
  const url = await converse(ada, ['time-bob']);
  const change = (operation: string, id: string) =>
    ada.call('PATCH', url, 204, { body: [{ operation, property: 'participants', id }] });
  await change('remove', 'time-bob');
  await change('add', 'time-carol');
  await untilFollowed(ada, ['time-bob', 'time-carol']);
  expect(await followedBy(carol)).toEqual(['time-ada']);
});

test('the list is paged by user id or URI, with the same count on every page', async () => {
  const ada = await app.login('page-ada');
  const others = ['p1', 'p2', 'p3', 'p4 ä', 'p5'];
  for (const id of others)
    await app.server('POST', `/users/${segment(id)}/identity`, 201, { body: { display_name: id } });
  await ada.call('POST', '/following/users', 202, { body: [...others, 'nobody-at-all'] });
  await untilFollowed(ada, others);
  for (const path of ['/following', '/identities']) {
    const seen: string[] = [];
    for (let from = ''; ;) {
      const query = `page_size=2${from && `&from_id=${segment(from)}`}`;
      const { body, headers } = await ada.call('GET', `${path}?${query}`, 200);
      expect(headers['svc-count']).toBe('5');
      const ids = body.map((one: string | { user_id: string }) =>
        typeof one === 'string' ? one : one.user_id,
      );
      if (ids.length === 0) break;
      seen.push(...ids);
      from = seen.length === 2 ? identityUri(ids.at(-1)) : ids.at(-1);
    }
    expect(seen).toEqual(others);
    const { body } = await ada.call('GET', `${path}?from_id=nobody-at-all`, 422);
    expect(body).toMatchObject({ id: 'invalid_property', data: { property: 'from_id' } });
    await ada.call('GET', `${path}?page_size=0`, 422);
  }
});

test('users who do not exist are not found, on either side', async () => {
  const ada = await app.login('unknown-ada');
  await ada.call('PUT', '/following/users/nobody', 404);
  await ada.call('DELETE', '/following/users/nobody', 404);
  await ada.call('GET', '/following/users/nobody', 404);
  await ada.call('GET', '/identities/nobody', 404);
  for (const [method, path] of [
    ['GET', 'following'],
    ['POST', 'following'],
    ['GET', 'identities'],
    ['GET', 'following/unknown-ada'],
    ['PUT', 'following/unknown-ada'],
    ['DELETE', 'following/unknown-ada'],
  ] as const) {
    const { body } = await app.server(method, `/users/nobody/${path}`, 404, { body: [] });
    expect(body).toMatchObject({ id: 'not_found', code: 102 });
  }
});

test('a server follows for a user by its own paths and by those of the user', async () => {
  const ada = await app.login('server-ada');
  await app.login('server-bob');
  await app.server('PUT', '/users/server-ada/following/server-bob', 204);
  await app.server('GET', '/users/server-ada/following/server-bob', 204);
  await app.server('GET', '/users/server-ada/following/users/server-bob', 204);
  expect((await app.server('GET', '/users/server-ada/following', 200)).body).toEqual(['server-bob']);
  expect((await app.server('GET', '/users/server-ada/identities', 200)).body).toMatchObject([
    { user_id: 'server-bob' },
  ]);
  await app.server('DELETE', '/users/server-ada/following/server-bob', 204);
  await app.server('GET', '/users/server-ada/following/server-bob', 404);
  await app.server('POST', '/users/server-ada/following', 202, { body: [identityUri('server-bob')] });
  await untilFollowed(ada, ['server-bob']);
});

test('a deleted user disappears from the lists and counts of all followers', async () => {
  const ada = await app.login('many-ada');
  const ids = Array.from({ length: 40 }, (_, i) => `many-${String(i).padStart(5, '0')}`);
  await Promise.all(
    ids.map((id) => app.server('POST', `/users/${id}/identity`, 201, { body: { display_name: id } })),
  );
  await ada.call('POST', '/following/users', 202, { body: ids });
  await untilFollowed(ada, ids);
  await app.server('DELETE', `/users/${ids[0]}/identity`, 204);
  const { headers } = await ada.call('GET', '/following', 200);
  expect(headers['svc-count']).toBe(String(ids.length - 1));
});

describe('change packets of followed identities', () => {
  test('reach followers within a second, in order, and no other users', async () => {
    const [ada, bob] = [await app.login('live-ada'), await app.login('live-bob')];
    const carol = await app.login('live-carol');
    await converse(ada, ['live-bob']);
    await untilFollowed(ada, ['live-bob']);
    const [socket, other] = [await ada.connect(), await carol.connect()];
    await app.server('PATCH', '/users/live-bob/identity', 204, { body: { display_name: 'Bob II' } });
    const packet = await socket.waitFor('the new name', (p) => p.body.object?.type === 'Identity', 1000);
    expect(packet.body).toMatchObject({
      operation: 'update',
      object: { type: 'Identity', id: bob.uri },
      data: [{ operation: 'set', property: 'display_name', value: 'Bob II' }],
    });
    const list = (await ada.call('GET', '/conversations', 200)).body[0].participants;
    expect(list.find((one: { user_id: string }) => one.user_id === 'live-bob').display_name).toBe('Bob II');
    await other.request('Counter.read');
    expect(other.changes('Identity')).toEqual([]);
    await socket.close();
    await other.close();
  });

  test('are replayed to followers who were offline', async () => {
    const ada = await app.login('replay-ada');
    await app.login('replay-bob');
    await ada.call('PUT', '/following/users/replay-bob', 204);
    const socket = await ada.connect();
    await socket.request('Counter.read');
    const from_timestamp = socket.packets[0]!.timestamp;
    await socket.close();
    await app.server('PATCH', '/users/replay-bob/identity', 204, { body: { display_name: 'Bob III' } });
    const again = await ada.connect();
    const { success, data } = await again.request('Event.replay', { data: { from_timestamp } });
    expect({ success, complete: data.complete }).toEqual({ success: true, complete: true });
    expect(again.changes('Identity').at(-1)).toMatchObject({
      operation: 'update',
      data: [{ property: 'display_name', value: 'Bob III' }],
    });
    await again.close();
  });
});
