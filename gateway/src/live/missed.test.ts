import { create } from '@bufbuild/protobuf';
import { createClient, createRouterTransport } from '@connectrpc/connect';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Connection } from '../socket/connection.ts';
import { createHub } from './hub.ts';
import { missedEvents } from './missed.ts';

const deleted = (announcementId: string, createdAt = 100, onlyUserIds = ['ada', 'bob', 'cem']) =>
  create(EventSchema, {
    ...{ appId: 'app', createdAt, onlyUserIds },
    body: { case: 'announcementDeleted', value: { announcementId } },
  });

test('the log is asked for what was lost, for those who were connected then, and only of its subject', async () => {
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
  const told: unknown[] = [];
  for await (const event of missedEvents(
    { hub, logs: [createClient(ChangeLogService, transport)] },
    deleted('lost'),
  ))
    told.push([event.onlyUserIds, event.body.value]);
  expect(asked).toEqual(['ada']);
  expect(told).toEqual([[['ada'], expect.objectContaining({ announcementId: 'lost' })]]);
});
