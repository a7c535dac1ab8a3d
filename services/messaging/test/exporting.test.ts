import { randomUUID } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import { createLogger } from '@parley/kit/log';
import { RecordReader } from '@parley/kit/record-reader';
import { createRpcChannel } from '@parley/kit/rpc-client';
import { MessageBodySchema, type MessageBody } from '@parley/proto/parley/messaging/v1/message_pb';
import { ExportSourceService } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { createRoom, send, type Room } from './support/actions.ts';
import { problemIn } from './support/problems.ts';
import { startMessaging, type TestMessaging } from './support/service.ts';

const bodiesIn = (rows: Uint8Array): MessageBody[] => {
  const reader = new RecordReader(rows);
  const bodies: MessageBody[] = [];
  while (reader.next()) {
    for (const read of ['uuid', 'int8', 'text', 'time', 'time'] as const) reader[read]();
    bodies.push(fromBinary(MessageBodySchema, reader.bytea()!));
  }
  return bodies;
};

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
  const textsOf = async (cut: { appId: string; cutId: string }) => {
    const texts: string[] = [];
    for await (const { spans } of source.exportMessages(cut)) {
      for (const { rows } of spans) texts.push(...bodiesIn(rows).map(({ parts }) => parts[0]?.body ?? ''));
    }
    return texts;
  };
  const say = (room: Room, body: string) =>
    send(service, room, 'ann', { parts: [{ id: randomUUID(), mimeType: 'text/plain', body }] });
  const remove = (room: Room, id: string) =>
    service.messaging.deleteMessage({ appId: room.appId, id, userId: 'ann', mode: 1 });

  test('of an app without conversations is one of nothing', async () => {
    const cut = await fix(randomUUID());
    expect([await conversationsOf(cut), await textsOf(cut)]).toEqual([[], []]);
  });

  test('keeps what came before it and nothing that came after, whatever is deleted meanwhile', async () => {
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

  test('comes in responses of less than a hundred kilobytes, whatever the messages hold', async () => {
    const first = await createRoom(service, ['ann', 'bob']);
    const second = await createRoom(service, ['ann'], first.appId);
    const long = (name: string) => name.repeat(20_000);
    for (const name of 'abcde') await say(first, long(name));
    await remove(first, (await say(first, long('f'))).id);
    for (const name of 'ghi') await say(second, long(name));
    const cut = await fix(first.appId);
    expect((await textsOf(cut)).map((text) => text[0])).toEqual([...'abcdeghi']);
    const sizes: number[] = [];
    for await (const { spans } of source.exportMessages(cut))
      sizes.push(spans.reduce((sum, { rows }) => sum + rows.length, 0));
    expect(Math.max(...sizes)).toBeLessThan(100_000);
    expect(sizes.length).toBeLessThanOrEqual(3);
  });

  test('of one app has nothing of another', async () => {
    const room = await createRoom(service, ['ann']);
    await say(room, 'private');
    const { cutId } = await fix(room.appId);
    expect(await problemIn(textsOf({ appId: randomUUID(), cutId }))).toBe('not_found');
  });

  test('says what became of the messages at given positions, deleted ones included', async () => {
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
