import { randomUUID } from 'node:crypto';
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { createDatabase } from '@parley/kit/postgres';
import { HELD, STAYS_OPEN } from '@parley/kit/testing/held-transaction';
import { EventBatchSchema, type EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { IdentityType } from '@parley/proto/parley/identity/v1/identity_pb';
import { startNats, until, type TestNats } from '@parley/testing';
import { listBlockers } from '../../src/sql/identity/block-copy.ts';
import { createRoom, send } from '../support/actions.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

describe('copies of identities', () => {
  let nats: TestNats;
  let service: TestMessaging;
  const appId = randomUUID();

  // Consumers of the same durable name share events, so this service gets a NATS server of its own.
  beforeAll(async () => {
    nats = await startNats();
    service = await startMessaging({ natsUrl: nats.url });
  });
  afterAll(async () => {
    await service.stop();
    await nats.stop();
  });

  async function publish(...events: MessageInitShape<typeof EventSchema>[]): Promise<void> {
    const payload = toBinary(
      EventBatchSchema,
      create(EventBatchSchema, { events: events.map((event) => ({ id: randomUUID(), appId, ...event })) }),
    );
    await service.ctx.bus.publish(`event.${appId}.identity.changed`, payload, { msgId: randomUUID() });
  }
  const changed = (
    userId: string,
    version: number,
    more: object = {},
  ): MessageInitShape<typeof EventSchema> => ({
    body: {
      case: 'identityChanged',
      value: { identity: { appId, userId, version, displayName: `v${version}`, ...more } },
    },
  });
  const names = async () => {
    const { conversation } = await service.messaging.getConversation({ appId, id: conversationId });
    return conversation!.participants.map(({ displayName }) => displayName);
  };
  const untilBobIs = (name: string | undefined) =>
    until(async () => ((await names())[1] === name ? true : undefined), {
      withinMs: 10_000,
      what: 'the copy follows',
    });
  let conversationId: string;

  test('follow the events in any order', async () => {
    const request = { appId, userId: 'ann', participantIds: ['bob'] };
    conversationId = (await service.messaging.createConversation(request)).conversation!.id;
    expect(await names()).toEqual(['ANN', 'BOB']);
    await publish(changed('ann', 5), changed('bob', 2));
    await untilBobIs('v2');
    expect(await names()).toEqual(['v5', 'v2']);
    await publish(changed('ann', 4), changed('bob', 3));
    await untilBobIs('v3');
    expect(await names()).toEqual(['v5', 'v3']);
  });

  test('of blocks end with the blocks: messages are delivered again, and a late event changes nothing', async () => {
    const room = await createRoom(service, ['cat', 'dan', 'eve'], appId);
    const blocked = (version: number, isBlocked: boolean, owner = 'cat') =>
      publish({
        body: {
          case: 'blockChanged',
          value: { ownerUserId: owner, blockedUserId: 'dan', blocked: isBlocked, version },
        },
      });
    /** Events are handled in order: the effect of the last one implies the effects of all. */
    const untilHandled = async (mark: string) => {
      await blocked(1, true, mark);
      await until(async () => (await isBlockedBy(mark)) || undefined, {
        withinMs: 10_000,
        what: 'the blocks are known',
      });
    };
    const isBlockedBy = async (owner: string) => {
      const query = { appId, blockedUserId: 'dan', userIds: [owner] };
      return (await listBlockers(service.ctx.db, query)).length > 0;
    };
    const seen = async () => {
      const { messages } = await service.messaging.listMessages({ ...room, userId: 'cat' });
      return messages.map(({ position }) => position);
    };
    await blocked(5, true);
    await untilHandled('mark-1');
    await send(service, room, 'dan');
    expect(await seen()).toEqual([]);
    await blocked(6, false);
    await blocked(5, true);
    await untilHandled('mark-2');
    await send(service, room, 'dan');
    expect(await seen()).toEqual([2]);
  });

  test('are written in the order of keys, for any order of events', async () => {
    await createRoom(service, ['yan', 'zoe'], appId);
    const { config, log, cell } = service.ctx;
    const db = createDatabase({ url: config.databaseUrl, poolSize: 2, log, applicationName: 'test', cell });
    const lock = (userId: string, more = '') => ({
      text: `select from identity_copy where app_id = $1 and user_id = $2 for update ${more}`,
      values: [appId, userId],
    });
    const waits = async () =>
      (await db.execute({
        text: `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like '%insert into identity_copy%'`,
      })) > 0;
    await db.tx(async (tx) => {
      await tx.execute(STAYS_OPEN);
      await tx.execute(lock('yan'));
      await publish(changed('zoe', 2), changed('yan', 2));
      await until(async () => (await waits()) || undefined, { withinMs: 20_000, what: 'the consumer waits' });
      // A consumer that wrote zoe first would hold her row.
      expect(await tx.execute(lock('zoe', 'nowait'))).toBe(1);
    }, HELD);
    await db.close();
  });

  test('of a deletion apply as soon as the call returns, and a late event does not undo it', async () => {
    const ask = () =>
      service.messaging.createConversation({ appId, userId: 'ann', participantIds: ['gwen'] });
    const apply = (version: number, deleted: boolean) =>
      service.copies.applyIdentities({ appId, identities: [{ appId, userId: 'gwen', version, deleted }] });
    await ask();
    for (let version = 2; version < 20; version += 2) {
      await apply(version, true);
      await expect(ask()).rejects.toThrow();
      await apply(version + 1, false);
      await ask();
    }
    await apply(21, true);
    await publish(changed('gwen', 20), changed('bob', 4));
    await untilBobIs('v4');
    await expect(ask()).rejects.toThrow();
  });

  test('of a deleted user who was created again are fetched before the user is refused', async () => {
    const identities = ['back-one', 'back-two'].map((userId) => ({
      appId,
      userId,
      version: 9,
      deleted: true,
    }));
    const room = await createRoom(service, ['ann', 'back-two'], appId);
    await service.ctx.db.execute({ text: `delete from identity_copy where user_id like 'back%'` });
    await service.copies.applyIdentities({ appId, identities });
    await service.messaging.createConversation({ appId, userId: 'ann', participantIds: ['back-one'] });
    await send(service, room, 'back-two', { byServer: true });
  });

  test('of a deleted or erased user keep the user out of new conversations', async () => {
    const ask = () => service.messaging.createConversation({ appId, userId: 'ann', participantIds: ['bob'] });
    await publish(changed('bob', 9, { deleted: true, displayName: undefined }));
    await untilBobIs(undefined);
    await expect(ask()).rejects.toThrow();
    await publish(changed('bob', 10));
    await untilBobIs('v10');
    await ask();
    await publish({ body: { case: 'userErased', value: { userId: 'bob', version: 11 } } });
    await untilBobIs(undefined);
    await expect(ask()).rejects.toThrow();
  });

  test('of an erased bot stay those of a bot, and its messages are found where it does not take part', async () => {
    const room = await createRoom(service, ['gil'], appId);
    await publish(changed('robot', 1, { type: IdentityType.BOT }));
    const isBot = { text: `select from identity_copy where user_id = 'robot' and is_bot` };
    await until(async () => (await service.ctx.db.execute(isBot)) > 0 || undefined, {
      withinMs: 10_000,
      what: 'the bot is known',
    });
    await send(service, room, 'robot', { byServer: true });
    const bodies = async () =>
      (
        await service.ctx.db.query<{ deleted: boolean }>({
          text: `select deleted_at is not null as deleted from message where conversation_id = $1`,
          values: [room.conversationId],
        })
      ).map(({ deleted }) => deleted);
    expect(await bodies()).toEqual([false]);
    const gone = { type: IdentityType.BOT, deleted: true, displayName: undefined };
    await publish(changed('robot', 2, gone), {
      body: { case: 'userErased', value: { userId: 'robot', version: 3 } },
    });
    await until(async () => (await bodies())[0] || undefined, { withinMs: 20_000, what: 'it is erased' });
  });
});
