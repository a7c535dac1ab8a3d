import { randomUUID } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { MessageDraftSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { until } from '@parley/testing';
import { createRoom, draft, type Room } from '../../support/actions.ts';
import { startMessaging, type TestMessaging } from '../../support/service.ts';

let service: TestMessaging;

beforeAll(async () => {
  service = await startMessaging();
});
afterAll(() => service.stop());

function db() {
  return service.ctx.db;
}

/** Scheduled messages that have been due for an hour, inserted beyond the limits of requests. */
async function fill(room: Room, ids: readonly string[], ago: string): Promise<void> {
  const drafts = ids.map((id) =>
    toBinary(MessageDraftSchema, create(MessageDraftSchema, draft(room, 'ann', { id }))),
  );
  await db().execute({
    text: `
      insert into scheduled_message (app_id, id, conversation_id, sender_id, created_at, due_at, draft)
      select $1, id, $2, 'ann', now() - $5::interval, now() - $5::interval, draft
      from unnest($3::uuid[], $4::bytea[]) as row (id, draft)`,
    values: [room.appId, room.conversationId, ids, drafts, ago],
  });
}

test('more failing scheduled messages of one application than a process loads do not delay another one’s', async () => {
  const [busy, quiet] = [
    await createRoom(service, ['ann', 'bob']),
    await createRoom(service, ['ann', 'bob']),
  ];
  await db().execute({
    text: `create function refuse() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`,
  });
  await db().execute({
    text: `create trigger refuse before insert on message for each row when (new.app_id = '${busy.appId}')
      execute function refuse()`,
  });
  const id = randomUUID();
  await fill(
    busy,
    Array.from({ length: 10_100 }, () => randomUUID()),
    '1 hour',
  );
  await fill(quiet, [id], '1 second');
  await until(
    async () => {
      const values = [quiet.appId, id];
      return (
        (await db().execute({ text: 'select from message where app_id = $1 and id = $2', values })) ||
        undefined
      );
    },
    { withinMs: 150_000, what: 'the message of the quiet application is sent' },
  );
  const left = await db().execute({
    text: 'select from scheduled_message where app_id = $1',
    values: [busy.appId],
  });
  expect(left).toBe(10_100);
}, 240_000);
