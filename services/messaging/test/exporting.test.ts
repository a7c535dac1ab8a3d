import { randomUUID } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import { recipientStatus } from '@parley/domain/receipts';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { RecordReader } from '@parley/kit/postgres/record-reader';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { MessageBodySchema } from '@parley/proto/parley/messaging/v1/message_pb';
import {
  ExportSourceService,
  type ExportMessagesResponse_Span,
} from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { createRoom, receipt, send, type Room } from './support/actions.ts';
import { problemIn } from '@parley/domain/testing/problems';
import { startMessaging, type TestMessaging } from './support/service.ts';

function readRows(rows: Uint8Array) {
  const reader = new RecordReader(rows);
  const messages = [];
  while (reader.next()) {
    const [id, position, senderId] = [reader.uuid(), reader.int8(), reader.text()];
    const [sentAt, updatedAt] = [reader.time(), reader.time()];
    const { parts } = fromBinary(MessageBodySchema, reader.bytea()!);
    messages.push({ id, position, senderId, sentAt, updatedAt, text: parts[0]?.body });
  }
  return messages;
}

describe('a cut', () => {
  let service: TestMessaging;
  let source: Client<typeof ExportSourceService>;
  let close: () => void;

  beforeAll(async () => {
    const secret = 'the secret of these exports';
    service = await startMessaging({ env: { PARLEY_RPC_SECRET: secret } });
    const log = createLogger({ service: 'test', level: 'silent' });
    const channel = createRpcChannel({ address: `127.0.0.1:${service.rpcPort}`, secret, log });
    source = channel.client(ExportSourceService);
    close = () => channel.close();
  });
  afterAll(async () => {
    close();
    await service.stop();
  });

  const fix = async (appId: string) => {
    const cut = { appId, cutId: randomUUID() };
    await source.fixCut(cut);
    return cut;
  };
  const conversationsOf = async (cut: { appId: string; cutId: string }) => {
    const ids: string[] = [];
    for await (const { conversations } of source.exportConversations(cut))
      ids.push(...conversations.map(({ id }) => id));
    return ids;
  };
  const responsesOf = async (cut: { appId: string; cutId: string }) => {
    const responses = [];
    for await (const { spans } of source.exportMessages(cut)) responses.push(spans);
    return responses;
  };
  const messagesOf = async (cut: { appId: string; cutId: string }) =>
    (await responsesOf(cut)).flat().flatMap(({ rows }) => readRows(rows));
  const textsOf = async (cut: { appId: string; cutId: string }) =>
    (await messagesOf(cut)).map(({ text }) => text);
  const say = (room: Room, body: string) =>
    send(service, room, 'ann', { parts: [{ id: randomUUID(), mimeType: 'text/plain', body }] });
  const remove = (room: Room, id: string) =>
    service.messaging.deleteMessage({ appId: room.appId, id, userId: 'ann', mode: 1 });

  test('of an app without conversations is empty', async () => {
    const cut = await fix(randomUUID());
    expect([await conversationsOf(cut), await textsOf(cut)]).toEqual([[], []]);
  });

  test('keeps every change from before it and none from after it, regardless of later deletions', async () => {
    const first = await createRoom(service, ['ann', 'bob']);
    const { appId } = first;
    const second = await createRoom(service, ['ann'], appId);
    const gone = await createRoom(service, ['ann', 'bob'], appId);
    await say(first, 'one');
    const two = await say(first, 'two');
    await say(second, 'other');
    await say(gone, 'gone');
    const cut = await fix(appId);
    await say(first, 'late');
    await createRoom(service, ['ann'], appId);
    await remove(first, two.id);
    await service.messaging.deleteConversation({ appId, id: gone.conversationId, mode: 1 });
    await source.fixCut(cut);
    expect(await conversationsOf(cut)).toEqual([first.conversationId, second.conversationId]);
    expect(await textsOf(cut)).toEqual(['one', 'other']);

    await source.dropCut(cut);
    expect(await problemIn(conversationsOf(cut))).toBe('not_found');
    expect(await problemIn(textsOf(cut))).toBe('not_found');
  });

  test('has each message in full, with its sender and its readers', async () => {
    const room = await createRoom(service, ['ann', 'bob']);
    const first = await say(room, 'first');
    await remove(room, (await say(room, 'second')).id);
    const third = await send(service, room, 'bob', {
      parts: [{ id: randomUUID(), mimeType: 'text/plain', body: 'third' }],
    });
    await receipt(service, { appId: room.appId, userId: 'bob', messageId: first.id });
    const add = { id: randomUUID(), mimeType: 'text/plain', body: 'added' };
    await service.parts.editParts({
      appId: room.appId,
      messageId: third.id,
      edit: { case: 'add', value: add },
    });
    await service.ctx.db.execute({
      text: `delete from identity_copy where app_id = $1 and user_id = 'bob'`,
      values: [room.appId],
    });
    const [[span]] = (await responsesOf(await fix(room.appId))) as [[ExportMessagesResponse_Span]];
    const { updatedAt } = (await service.messaging.getMessage({ appId: room.appId, id: third.id })).message!;
    expect(updatedAt).toBeGreaterThanOrEqual(third.sentAt);
    expect(readRows(span.rows)).toEqual([
      {
        id: first.id,
        position: 1,
        senderId: 'ann',
        sentAt: first.sentAt,
        updatedAt: undefined,
        text: 'first',
      },
      { id: third.id, position: 3, senderId: 'bob', sentAt: third.sentAt, updatedAt, text: 'third' },
    ]);
    expect(span.senders).toMatchObject([{ userId: 'ann', displayName: 'ANN' }, { userId: 'bob' }]);
    expect(span.senders[1]?.displayName).toBeUndefined();
    const statuses = [1, 3].map((position) => [
      ...recipientStatus(span.receipts, { position, sender: undefined }),
    ]);
    expect(statuses).toEqual([
      [
        ['ann', 'read'],
        ['bob', 'read'],
      ],
      [
        ['ann', 'sent'],
        ['bob', 'read'],
      ],
    ]);
  });

  test('is sent in responses that end with the message that reaches 56 KiB', async () => {
    const first = await createRoom(service, ['ann', 'bob']);
    const second = await createRoom(service, ['ann'], first.appId);
    const long = (name: string) => name.repeat(20_000);
    for (const name of 'abcde') await say(first, long(name));
    await remove(first, (await say(first, long('f'))).id);
    await say(second, 'g');
    await say(second, 'h'.repeat(1_000_000));
    for (const name of 'ij') await say(second, long(name));
    const texts = (await responsesOf(await fix(first.appId))).map((spans) =>
      spans.flatMap(({ rows }) => readRows(rows)).map(({ text }) => text?.[0]),
    );
    expect(texts.flat().join('')).toBe('abcdeghij');
    expect(texts.map((names) => names.join(''))).toEqual(['abc', 'degh', 'ij']);
  });

  test('of conversations with many members is sent in responses of few conversations', async () => {
    const appId = randomUUID();
    const members = Array.from({ length: 100 }, (_, n) => `member-${n}-${'x'.repeat(200)}`);
    const names = Array.from({ length: 12 }, (_, n) => String(n));
    for (const name of names) await say(await createRoom(service, ['ann', ...members], appId), name);
    const responses = await responsesOf(await fix(appId));
    expect(responses.flat().flatMap(({ rows }) => readRows(rows).map(({ text }) => text))).toEqual(names);
    const states = responses.map((spans) =>
      spans.reduce((sum, { receipts }) => sum + receipts!.states.length, 0),
    );
    expect(Math.max(...states)).toBe(202);
  });

  test('of one app has nothing of another', async () => {
    const room = await createRoom(service, ['ann']);
    await say(room, 'private');
    const { cutId } = await fix(room.appId);
    expect(await problemIn(textsOf({ appId: randomUUID(), cutId }))).toBe('not_found');
  });

  test('lists the messages at given positions, including deleted ones', async () => {
    const room = await createRoom(service, ['ann', 'bob']);
    const sent = [await say(room, '1'), await say(room, '2'), await say(room, '3'), await say(room, '4')];
    await remove(room, sent[1]!.id);
    const positions = [{ first: 2, last: 3 }];
    const { places } = await source.listMessagePlaces({ ...room, positions });
    expect(places).toMatchObject([
      { id: sent[1]!.id, position: 2, senderId: 'ann' },
      { id: sent[2]!.id, position: 3, senderId: 'ann' },
    ]);
    const page = await source.listMessagePlaces({ ...room, positions, pageSize: 1 });
    expect(page.places).toHaveLength(1);
  });
});
