import { randomUUID } from 'node:crypto';
import { startReceiver } from '@parley/testing/doubles/receiver';
import { makeKeyPair } from '../../../../test/support/archive.ts';
import { until } from '../../../../test/support/until.ts';
import { listAll, ParleyError, readExport, verifyWebhook, webhookChallenge } from '../../src/server/index.ts';
import { expectPolicies, expectReactions } from './policy.ts';
import { serverOperations, serverWorld, type ServerWorld } from './world.ts';

const text = (body: string) => ({ mime_type: 'text/plain' as const, body });
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

let world: ServerWorld;

beforeAll(async () => {
  world = await serverWorld();
  for (const user of ['ada', 'bob', 'grace']) await world.server.createIdentity(user, { display_name: user });
});

test('users, identities, following and blocks', async () => {
  const { server } = world;
  await server.discover();
  await server.updateApp([{ operation: 'set', property: 'session_ttl_in_seconds', value: 86_400 }]);
  expect((await server.getUser('ada')).identity?.display_name).toBe('ada');
  expect((await server.listUsers({ type: 'user' })).map(({ suspended }) => suspended)).toContain(false);
  await server.updateUser('bob', [{ operation: 'set', property: 'suspended', value: true }]);
  await server.updateUser('bob', [{ operation: 'set', property: 'suspended', value: false }]);
  await server.setBadge('ada', { external_unread_count: 3 });
  expect((await server.getBadge('ada')).external_unread_count).toBe(3);
  await server.deleteUserSessions('ada');
  await server.replaceIdentity('ada', { display_name: 'Ada' });
  await server.updateIdentity('ada', { display_name: 'Ada Lovelace' });
  expect((await server.getIdentity('ada')).display_name).toBe('Ada Lovelace');
  await server.followUserForUser('ada', 'bob');
  await server.followUsersForUser('ada', ['grace']);
  expect(await server.isFollowingOfUser('ada', 'bob')).toBe(true);
  await server.unfollowUserForUser('ada', 'bob');
  expect(await server.isFollowingOfUser('ada', 'bob')).toBe(false);
  const followed = () => server.listFollowedUsersOfUser('ada').then((ids) => ids.length === 1 || undefined);
  await until('Grace is followed', followed);
  expect((await server.listFollowedIdentitiesOfUser('ada')).map(({ user_id }) => user_id)).toEqual(['grace']);
  await server.patchBlocks('ada', [{ operation: 'add', property: 'blocks', id: 'bob' }]);
  expect((await server.listBlocksOfUser('ada')).map(({ user_id }) => user_id)).toEqual(['bob']);
  await server.patchBlocks('ada', [{ operation: 'remove', property: 'blocks', id: 'bob' }]);
  const [gone, erased] = [`${randomUUID()}/ü`, randomUUID()];
  for (const user of [gone, erased]) await server.createIdentity(user, { display_name: 'x' });
  await server.deleteIdentity(gone);
  await server.eraseUser(erased);
});

test('all conversations by last message, each once although somebody writes in them meanwhile', async () => {
  const asked: string[] = [];
  const spy: typeof fetch = (input, init) => {
    if (!init?.method || init.method === 'GET') asked.push(String(input));
    return fetch(input, init);
  };
  const user = `lin-${randomUUID()}`;
  await world.server.createIdentity(user, { display_name: 'Lin' });
  const lin = world.clientWith({ fetch: spy }).as(user);
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.push((await lin.createConversation({ participants: ['bob'] })).id);
  const seen: string[] = [];
  const pages = listAll((page) => lin.listConversations({ sortBy: 'last_message', ...page }), {
    pageSize: 2,
  });
  for await (const { id } of pages) {
    seen.push(id);
    await lin.sendMessage(id, { parts: [text('again')] });
  }
  expect(seen).toEqual(ids.toReversed());
  expect(asked.map((url) => new URL(url).searchParams.has('cursor'))).toEqual([false, true, true]);
});

test('conversations, messages, parts, content, announcements and pushes', async () => {
  const { server } = world;
  const { id } = await server.createConversation({ participants: ['ada', 'grace'] });
  await server.updateConversation(id, [{ operation: 'set', property: 'metadata', value: { title: 'x' } }]);
  expect((await server.getConversation(id)).metadata).toEqual({ title: 'x' });
  const sent = await server.sendMessage(id, { sender_id: 'ada', parts: [text('1'), text('2')] });
  const messageId = sent?.id ?? '';
  await server.sendMessage(id, [{ sender_id: 'ada', parts: [text('batch')] }]);
  expect((await server.listMessages(id, { pageSize: 1 })).map(({ position }) => position)).toEqual([2]);
  const positions: number[] = [];
  for await (const { position } of listAll((page) => server.listMessages(id, page), { pageSize: 1 }))
    positions.push(position);
  expect(positions).toEqual([2, 1]);
  expect((await server.getMessage(id, messageId)).id).toBe(messageId);
  const added = await server.addPart(id, messageId, text('3'));
  expect((await server.listParts(id, messageId)).map(({ body }) => body)).toEqual(['1', '2', '3']);
  await server.updatePart(id, messageId, added.id, text('4'));
  expect((await server.getPart(id, messageId, added.id)).body).toBe('4');
  await server.removePart(id, messageId, added.id);
  await server.replaceParts(id, messageId, [text('5')]);
  await server.deleteMessage(id, messageId);
  const later = randomUUID();
  const schedule = { delay_in_seconds: 300 };
  await server.sendMessage(id, { id: later, sender_id: 'ada', parts: [text('later')], schedule });
  expect(await server.listScheduledMessages(id)).toHaveLength(1);
  await server.getScheduledMessage(id, later);
  await server.cancelScheduledMessage(id, later);
  const upload = { uploadContentType: 'text/plain', uploadContentLength: 4 };
  const content = await server.createContent(id, upload);
  await fetch(content.upload_url ?? '', { method: 'PUT', body: 'data' });
  expect((await server.getContent(id, content.id)).download_url).toEqual(expect.any(String));
  const announced = { recipients: ['ada'], sender_id: 'grace', parts: [text('news')] };
  await server.createAnnouncement(announced);
  await server.requestNotification({ recipients: ['ada'], notification: { text: 'x' } });
  expect((await server.listConversations()).map((one) => one.id)).toContain(id);
  await server.deleteConversation(id);
});

test('types, roles and restrictions', () => expectPolicies(world));

test('metadata of messages and reactions', () => expectReactions(world));

test('a request that is repeated with the same key is performed once', async () => {
  const { server } = world;
  const { id } = await server.createConversation({ participants: ['ada', 'grace'], distinct: false });
  const input = { sender_id: 'ada', parts: [text('once')] };
  const options = { idempotencyKey: randomUUID() };
  const [first, second] = [
    await server.sendMessage(id, input, options),
    await server.sendMessage(id, input, options),
  ];
  expect(second?.id).toBe(first?.id);
  expect(await server.listMessages(id)).toHaveLength(1);
});

test('an error says what is wrong, and by which id operators find the request', async () => {
  const error = await world.server.getUser('unknown').catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(ParleyError);
  expect(error).toMatchObject({
    id: 'not_found',
    code: 102,
    status: 404,
    requestId: expect.any(String) as string,
  });
  const { id } = await world.server.createConversation({ participants: ['ada'], distinct: false });
  await expect(world.server.getMessage(id, randomUUID())).rejects.toMatchObject({
    id: 'not_found',
    code: 102,
  });
});

test('a user’s own operations', async () => {
  const { app } = world;
  const [ada, grace] = [world.server.as('ada'), world.server.as('svc:///identities/grace')];
  const { token } = await app.login('ada');
  await ada.deleteSession(token);
  await world.server.updateApp([{ operation: 'set', property: 'user_directory', value: 'everyone' }]);
  expect((await ada.findUsers({ q: 'gra' })).map(({ user_id: id }) => id)).toEqual(['grace']);
  const { id } = await ada.createConversation({ participants: ['grace'], distinct: false });
  await ada.updateConversation(id, [{ operation: 'set', property: 'metadata.title', value: 'x' }]);
  expect((await ada.getConversation(id)).metadata).toEqual({ title: 'x' });
  expect((await ada.listConversations({ sortBy: 'last_message' })).map((one) => one.id)).toContain(id);
  const sent = await ada.sendMessage(id, { parts: [text('1')] });
  const messageId = sent.id;
  await grace.markAllDelivered(id, { position: 1 });
  await grace.sendReceipt(messageId, { type: 'read' });
  await grace.markAllRead(id, { position: 1 });
  expect((await ada.getMessage(messageId)).recipient_status).toMatchObject({
    'svc:///identities/grace': 'read',
  });
  expect(await ada.listMessages(id)).toHaveLength(1);
  const added = await ada.addPart(messageId, text('2'));
  await ada.updatePart(messageId, added.id, text('3'));
  expect((await ada.getPart(messageId, added.id)).body).toBe('3');
  await ada.removePart(messageId, added.id);
  await ada.replaceParts(messageId, [text('4')]);
  expect(await ada.listParts(messageId)).toHaveLength(1);
  const other = await ada.addPartInConversation(id, messageId, text('5'));
  await ada.updatePartInConversation(id, messageId, other.id, text('6'));
  await ada.getPartInConversation(id, messageId, other.id);
  await ada.removePartInConversation(id, messageId, other.id);
  await ada.replacePartsInConversation(id, messageId, [text('7')]);
  expect(await ada.listPartsInConversation(id, messageId)).toHaveLength(1);
  const content = await ada.createContent({ uploadContentType: 'text/plain', uploadContentLength: 4 });
  await fetch(content.upload_url ?? '', { method: 'PUT', body: 'data' });
  await ada.getContent(content.id);
  await ada.deleteMessage(messageId, { mode: 'all_participants' });
  await ada.deleteConversation(id, { mode: 'my_devices', leave: true });
  await ada.choosePresence({ status: 'busy' });
  expect((await grace.getIdentity('ada')).presence.status).toEqual(expect.any(String));
  await ada.followUser('bob');
  await ada.followUsers(['bob']);
  expect(await ada.isFollowing('bob')).toBe(true);
  await ada.unfollowUser('bob');
  await ada.blockUser('bob');
  await ada.unblockUser('bob');
  const announcement = await until(
    'the announcement has arrived',
    async () => (await ada.listAnnouncements())[0],
  );
  await ada.recordAnnouncementReceipt(announcement.id, { type: 'read' });
  expect((await ada.getAnnouncement(announcement.id)).is_unread).toBe(false);
  await ada.deleteAnnouncement(announcement.id);
  await ada.registerPushToken({
    token: randomUUID(),
    type: 'apns',
    device_id: 'phone-1',
    bundle_id: 'org.example',
  });
  await ada.deletePushToken('phone-1');
  expect(await world.server.listPushes('ada')).toEqual([]);
  expect((await ada.getPushKey()).public_key).toMatch(/^[\w-]{87}$/);
});

test('webhooks are managed, and their requests verified', async () => {
  const { server } = world;
  const receiver = await startReceiver();
  const { id } = await server.createWebhook({
    ...{ version: '3.0' as const, target_url: receiver.url, secret: SECRET },
    events: ['Message.created'],
  });
  const active = () => server.getWebhook(id).then(({ status }) => status === 'active' || undefined);
  await until('the webhook is active', active);
  const conversation = await server.createConversation({ participants: ['ada', 'grace'] });
  await server.sendMessage(conversation.id, { sender_id: 'ada', parts: [text('noticed')] });
  const request = await until('the notice has arrived', () => receiver.received[0]);
  const { headers } = request;
  const { notice } = await verifyWebhook({ body: request.text, headers, secret: ['whsec_AAAA', SECRET] });
  expect(notice.event.type).toBe('Message.created');
  if (notice.event.type !== 'Message.created' || !('message' in notice)) throw new Error('no message');
  const refused = { id: 'invalid_signature' };
  await expect(verifyWebhook({ body: `${request.text} `, headers, secret: SECRET })).rejects.toMatchObject(
    refused,
  );
  await expect(verifyWebhook({ body: request.text, headers, secret: 'other' })).rejects.toMatchObject(
    refused,
  );
  const late = { ...headers, 'webhook-timestamp': '1' };
  await expect(verifyWebhook({ body: request.text, headers: late, secret: SECRET })).rejects.toMatchObject(
    refused,
  );
  await expect(verifyWebhook({ body: '', headers: {}, secret: SECRET })).rejects.toMatchObject(refused);
  expect(webhookChallenge('/?verification_challenge=abc')).toBe('abc');
  const delivered = () => server.listDeliveries(id, { status: 'delivered' }).then(([first]) => first);
  const delivery = await until('the delivery is delivered', delivered);
  expect((await server.getDelivery(id, delivery.id)).attempts).toHaveLength(1);
  await server.replayDelivery(id, delivery.id);
  await server.replayDeliveries(id, {
    status: 'delivered',
    from: '2020-01-01T00:00:00Z',
    until: '2020-01-02T00:00:00Z',
  });
  expect((await server.sendTestEvent(id, { event: 'Receipt.created' })).event.type).toBe('Receipt.created');
  expect((await server.rotateWebhookSecret(id, {})).secret).toMatch(/^whsec_/);
  await server.updateWebhook(id, { config: { a: 'b' } });
  await server.deactivateWebhook(id);
  await server.activateWebhook(id);
  expect((await server.listWebhooks()).map((one) => one.id)).toContain(id);
  await server.deleteWebhook(id);
  await receiver.stop();
});

test.each(['pkcs1', 'oaep-sha256'] as const)(
  'an export is requested, decrypted and read (%s)',
  async (padding) => {
    const { server } = await (padding === 'pkcs1' ? Promise.resolve(world) : freshWorld());
    const { publicKey, privateKey } = makeKeyPair();
    await server.registerExportKey({ public_key: publicKey, padding });
    expect((await server.getExportKey()).public_key).toContain('PUBLIC KEY');
    const conversation = await server.createConversation({ participants: ['ada'] });
    await server.sendMessage(conversation.id, { sender_id: 'ada', parts: [text('To be kept')] });
    const { id } = await server.requestExport();
    const done = await until(
      'the export is completed',
      async () => {
        const one = await server.getExport(id);
        return one.status === 'completed' ? one : undefined;
      },
      30_000,
    );
    const archive = await readExport({ export: done, privateKey });
    expect(JSON.stringify(archive)).toContain('To be kept');
    const wrong = { ...done, archive_sha256: '0'.repeat(64) };
    await expect(readExport({ export: wrong, privateKey })).rejects.toMatchObject({ id: 'invalid_archive' });
    const bytes = new Uint8Array(await (await fetch(done.download_url ?? '')).arrayBuffer());
    const cut = { export: done, privateKey, archive: bytes.subarray(0, bytes.length - 16) };
    await expect(readExport(cut)).rejects.toMatchObject({ id: 'invalid_archive' });
    await server.configureExportSchedule({ interval: 'disabled' });
    await server.getExportSchedule();
    expect(await server.listExports()).toHaveLength(1);
    await server.deleteExport(id);
  },
);

async function freshWorld(): Promise<ServerWorld> {
  const fresh = await serverWorld();
  await fresh.server.createIdentity('ada', { display_name: 'Ada' });
  return fresh;
}

// Last, after all others have called theirs.
test('every operation of servers has a method, which was called', () => {
  const missing = serverOperations().filter(({ id }) => !world.called.has(id));
  expect(missing.map(({ id }) => id)).toEqual([]);
});
