import { create } from '@bufbuild/protobuf';
import { createClient, createRouterTransport } from '@connectrpc/connect';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Connection } from '../../connection/connection.ts';
import { createHub } from '../../connection/hub.ts';
import { missedEvents, usersWhoMissed } from './missed-events.ts';

const deleted = (announcementId: string, createdAt = 100, onlyUserIds = ['ada', 'bob', 'cem']) =>
  create(EventSchema, {
    ...{ appId: 'app', createdAt, onlyUserIds },
    body: { case: 'announcementDeleted', value: { announcementId } },
  });

test("a lost event is replaced by the log's events about its subject, for users who were connected then", async () => {
  const asked: string[] = [];
  const transport = createRouterTransport(({ service }) => {
    service(ChangeLogService, {
      listUserEvents: ({ userId }) => {
        asked.push(userId);
        return { events: [deleted('other', 90, [userId]), deleted('lost', 100, [userId])] };
      },
    });
  });
  const hub = createHub();
  const connect = (userId: string, connectedAt: number): void =>
    hub.add({ caller: { appId: 'app', userId }, connectedAt } as Connection);
  connect('ada', 50);
  connect('bob', 200);
  // By a clock up to 49 ms ahead of the log's, Cem seems to have come after it, though he came before.
  connect('cem', 80 + 49);
  expect(usersWhoMissed(hub, deleted('lost'), 149)).toEqual(['ada', 'cem']);
  const delivered: unknown[] = [];
  const logs = [createClient(ChangeLogService, transport)];
  for await (const event of missedEvents({ logs, userId: 'ada' }, deleted('lost')))
    delivered.push([event.onlyUserIds, event.body.value]);
  expect(asked).toEqual(['ada']);
  expect(delivered).toEqual([[['ada'], expect.objectContaining({ announcementId: 'lost' })]]);
});
