import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@bufbuild/protobuf';
import { problemOf } from '@parley/domain/problems';
import { problemIn } from '@parley/domain/testing/problems';
import { toValue } from '@parley/domain/metadata/patch';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { PolicyService } from '@parley/proto/parley/messaging/v1/policy_service_pb';
import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { RestoreService } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import type { Problem } from '@parley/proto/parley/problem/v1/problem_pb';
import { draft, getConversation, listAll, send, type Room } from './support/actions.ts';
import { shownReactions } from './support/reactions.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

// docs/protocol/types.md

let service: TestMessaging;
let room: Room;
let message: Message;

beforeAll(async () => {
  service = await startMessaging();
});
afterAll(() => service.stop());
beforeEach(async () => {
  room = await createTyped('', {});
  message = await send(service, room, 'bob');
});

const policy = () => service.channel.client(PolicyService);

/** A conversation of a moderator, two members and an observer, in an application of its own. */
async function createTyped(name: string, rules: JsonObject): Promise<Room> {
  const appId = randomUUID();
  if (name) await policy().putType({ appId, type: { name, rules } });
  const { conversation } = await service.messaging.createConversation({
    appId,
    participantIds: ['mod', 'bob', 'cid', 'obs'],
    type: name,
    roles: [
      { userId: 'mod', role: 'moderator' },
      { userId: 'obs', role: 'observer' },
    ],
  });
  return { appId, conversationId: conversation!.id };
}

/** `done`, or the reason of the refusal with its action. */
async function react(userId: string, key = '👍', remove = false): Promise<string> {
  const item = { appId: room.appId, messageId: message.id, userId, key, remove };
  const [result] = (await service.reactions.changeReactions({ items: [item] })).results;
  return result?.problem ? shortOf(result.problem) : 'done';
}

function shortOf({ id, data }: Pick<Problem, 'id' | 'data'>): string {
  return [id, data?.['reason'], data?.['action']].join(' ').trim();
}

async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'done';
  } catch (error) {
    const problem = problemOf(error);
    if (!problem) throw error;
    return shortOf(problem);
  }
}

function setMetadata(userId: string): Promise<string> {
  const step = { case: 'setMetadata' as const, value: { path: ['a'], value: toValue('b') } };
  const target = { appId: room.appId, messageId: message.id };
  return refusalOf(service.parts.updateMessage({ ...target, userId, operations: [{ step }] }));
}

function edit(userId: string): Promise<string> {
  const added = { id: randomUUID(), mimeType: 'text/plain', body: 'more' };
  const target = { appId: room.appId, messageId: message.id, requestId: randomUUID() };
  return refusalOf(service.parts.editParts({ ...target, userId, edit: { case: 'add', value: added } }));
}

async function say(userId: string): Promise<string> {
  const [result] = (await service.messaging.sendMessages({ items: [draft(room, userId)] })).results;
  const { outcome } = result!;
  return outcome.case === 'problem' ? shortOf(outcome.value) : String(outcome.case);
}

function restrict(userId: string, kind: 'mute' | 'ban') {
  return policy().putRestriction({ ...room, userId, kind });
}

function freeze(value: boolean) {
  const { appId, conversationId: id } = room;
  const step = { case: 'setFrozen' as const, value };
  return service.messaging.updateConversation({ appId, id, operations: [{ step }] });
}

test('a muted user neither reacts, takes back nor changes metadata, until the mute ends', async () => {
  expect(await react('bob')).toBe('done');
  await restrict('bob', 'mute');
  expect(await react('bob', '🎉')).toBe('access_denied muted react');
  expect(await react('bob', '👍', true)).toBe('access_denied muted react');
  expect(await setMetadata('bob')).toBe('access_denied muted edit_own');
  expect(await edit('bob')).toBe('permission_denied muted edit_own');
  expect(await react('cid')).toBe('done');
  await policy().deleteRestriction({ ...room, userId: 'bob' });
  expect([await react('bob', '👍', true), await setMetadata('bob')]).toEqual(['done', 'done']);
});

test('a muted moderator neither lifts nor shortens the mute', async () => {
  await restrict('mod', 'mute');
  const own = { ...room, userId: 'mod', callerUserId: 'mod' };
  const until = Date.now() + 60_000;
  expect(await refusalOf(policy().deleteRestriction(own))).toBe('access_denied role restrict');
  expect(await refusalOf(policy().putRestriction({ ...own, kind: 'mute', until }))).toBe(
    'access_denied role restrict',
  );
  expect(await say('mod')).toBe('access_denied muted send');
  await policy().deleteRestriction({ ...room, userId: 'mod' });
  expect(await say('mod')).toBe('sent');
});

test('a mute in the application forbids reactions and metadata in every conversation', async () => {
  await policy().putUserRestriction({ appId: room.appId, userId: 'bob', kind: 'mute' });
  expect(await react('bob')).toBe('access_denied muted react');
  expect(await setMetadata('bob')).toBe('access_denied muted edit_own');
});

test('the log tells a mute with the one of the application that is shown instead', async () => {
  await policy().putUserRestriction({ appId: room.appId, userId: 'bob', kind: 'mute' });
  await policy().putRestriction({ ...room, userId: 'bob', kind: 'mute', until: Date.now() + 60_000 });
  const { events } = await service.changeLog.listConversationEvents({ ...room, firstSeq: 1 });
  const told = events.flatMap(({ body }) => (body.case === 'restrictionChanged' ? [body.value] : []));
  expect(told).toMatchObject([{ ended: false, restriction: { inApp: false }, shown: { inApp: true } }]);
});

test('in a frozen conversation those react who may send, and no member changes metadata', async () => {
  await freeze(true);
  expect(await react('bob')).toBe('access_denied frozen react');
  expect(await setMetadata('bob')).toBe('access_denied frozen edit_own');
  expect(await react('mod')).toBe('done');
  expect(await setMetadata('')).toBe('done');
  await freeze(false);
  expect(await react('bob')).toBe('done');
});

test('a former participant sees neither that the conversation is frozen nor its slow mode', async () => {
  await restrict('bob', 'ban');
  await freeze(true);
  const { appId, conversationId: id } = room;
  const step = { case: 'setSlowMode' as const, value: 30 };
  await service.messaging.updateConversation({ appId, id, operations: [{ step }] });
  const seenBy = async (userId: string) => {
    const { frozen, slowModeInSeconds } = await getConversation(service, room, userId);
    return { isFrozen: frozen !== undefined, slowModeInSeconds };
  };
  expect(await seenBy('cid')).toEqual({ isFrozen: true, slowModeInSeconds: 30 });
  expect(await seenBy('bob')).toEqual({ isFrozen: false, slowModeInSeconds: 0 });
});

test('a batch is judged user by user', async () => {
  await restrict('cid', 'mute');
  const items = ['bob', 'cid', 'obs', 'mod'].map((userId) => {
    return { appId: room.appId, messageId: message.id, userId, key: '👍' };
  });
  const { results } = await service.reactions.changeReactions({ items });
  expect(results.map(({ problem }) => problem?.data?.['reason'])).toEqual([
    undefined,
    'muted',
    'role',
    undefined,
  ]);
  const read = await service.messaging.getMessage({ appId: room.appId, id: message.id, userId: 'cid' });
  expect(shownReactions(read.message)).toEqual([expect.stringMatching(/^👍 2 /)]);
});

test('a type without reactions refuses them, and shows those that are there', async () => {
  room = await createTyped('quiet', {});
  message = await send(service, room, 'bob');
  expect(await react('bob')).toBe('done');
  const rules = { features: { reactions: false } };
  await policy().putType({ appId: room.appId, type: { name: 'quiet', rules } });
  expect(await react('cid')).toBe('access_denied type react');
  const { userView } = await getConversation(service, room, 'cid');
  expect(shownReactions(userView?.lastMessage)).toEqual(['👍 1 bob']);
  expect(userView?.permissions?.actions).not.toContain('react');
});

test('the roles of a type say who reacts', async () => {
  room = await createTyped('club', { actions: { react: ['moderator'] } });
  message = await send(service, room, 'bob');
  expect(await react('bob')).toBe('access_denied role react');
  expect(await react('mod')).toBe('done');
  const { userView } = await getConversation(service, room, 'mod');
  expect(userView?.permissions?.actions).toContain('react');
});

test('a banned user learns it from everything that they write', async () => {
  await restrict('bob', 'ban');
  const { appId, conversationId: id } = room;
  expect(await say('bob')).toBe('access_denied banned send');
  expect(await react('bob')).toBe('access_denied banned react');
  expect(await setMetadata('bob')).toBe('access_denied banned edit_own');
  expect(await edit('bob')).toBe('permission_denied banned edit_own');
  const mode = DeletionMode.ALL_PARTICIPANTS;
  expect(
    await refusalOf(service.messaging.deleteMessage({ appId, id: message.id, userId: 'bob', mode })),
  ).toBe('access_denied banned delete_own');
  expect(await refusalOf(service.messaging.deleteConversation({ appId, id, userId: 'bob', mode }))).toBe(
    'access_denied banned delete_conversation',
  );
  const step = { case: 'setFrozen' as const, value: true };
  expect(
    await refusalOf(
      service.messaging.updateConversation({ appId, id, userId: 'bob', operations: [{ step }] }),
    ),
  ).toBe('access_denied banned freeze');
  await policy().deleteRestriction({ ...room, userId: 'bob' });
  expect(await say('bob')).toBe('access_denied');
});

test('who is added sees the history as their type says', async () => {
  room = await createTyped('class', { newcomer_history: 'none' });
  await send(service, room, 'bob');
  const step = { case: 'addParticipant' as const, value: 'new' };
  await service.messaging.updateConversation({
    appId: room.appId,
    id: room.conversationId,
    operations: [{ step }],
  });
  const later = await send(service, room, 'bob');
  const { messages } = await listAll(service, room, 'new');
  expect(messages.map(({ message: { id } }) => id)).toEqual([later.id]);
});

test('a restored conversation has its type, roles and settings, and needs the type', async () => {
  room = await createTyped('club', { actions: { react: ['moderator'] } });
  await freeze(true);
  const exported = await getConversation(service, room, '');
  const restore = service.channel.client(RestoreService);
  const appId = randomUUID();
  const conversation = { ...exported, appId, id: randomUUID(), slowModeInSeconds: 30 };
  const restoring = () => restore.restoreConversations({ appId, conversations: [conversation] });
  expect(await problemIn(restoring())).toBe('invalid_property: type');
  await policy().putType({ appId, type: { name: 'club', rules: {} } });
  for (let n = 0; n < 2; n++) await restoring();
  const restored = await getConversation(service, { appId, conversationId: conversation.id }, '');
  const { at } = exported.frozen!;
  expect(restored).toMatchObject({ type: 'club', slowModeInSeconds: 30, frozen: { at } });
  expect(new Map(restored.roles.map(({ userId, role }) => [userId, role]))).toEqual(
    new Map([
      ['mod', 'moderator'],
      ['obs', 'observer'],
    ]),
  );
});
