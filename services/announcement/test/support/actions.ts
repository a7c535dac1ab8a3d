import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { durableSubject } from '@parley/domain/events';
import { newId } from '@parley/domain/ids';
import type { CreateAnnouncementResponse } from '@parley/proto/parley/announcement/v1/announcement_service_pb';
import { EventBatchSchema, EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { until } from '@parley/testing';
import type { Context } from '../../src/context.ts';
import type { TestAnnouncement } from './service.ts';

export type NewAnnouncement = {
  appId: string;
  recipients: string[];
  sender?: string;
  id?: string;
  requestId?: string;
  body?: string;
};

/** Asks for an announcement; by default by `herald`, with new ids and a short text. */
export function createAnnouncement(
  service: TestAnnouncement,
  { appId, recipients, sender = 'herald', id = newId(), requestId = newId(), body = 'hear' }: NewAnnouncement,
): Promise<CreateAnnouncementResponse> {
  return service.announcement.createAnnouncement({
    appId,
    id,
    requestId,
    senderUserId: sender,
    recipientUserIds: recipients,
    parts: [{ id: newId(), mimeType: 'text/plain', body }],
  });
}

/** Creates an announcement and answers its id once every recipient has it. */
export async function announce(service: TestAnnouncement, wanted: NewAnnouncement): Promise<string> {
  const { announcement } = await createAnnouncement(service, wanted);
  await untilFannedOut(service, wanted.appId);
  return announcement!.id;
}

/** A step that an outage interrupts is leased for 10 s, and then for 20 s more. */
const WITHIN_MS = 50_000;

/** Resolves once no announcement of the application waits for fan-out. */
export async function untilFannedOut(service: TestAnnouncement, appId: string): Promise<void> {
  await until(async () => (await countRows(service, 'fan_out where app_id = $1', appId)) === 0 || undefined, {
    withinMs: WITHIN_MS,
    what: 'every recipient has the announcements',
  });
}

/** Resolves once no row is left in a queue, of any application. */
export async function untilEmpty(service: TestAnnouncement, table: string): Promise<void> {
  await until(async () => (await countRows(service, table)) === 0 || undefined, {
    withinMs: WITHIN_MS,
    what: `the queue ${table} is empty`,
  });
}

/** Counts rows: `text` follows `select count(*) from`. */
export async function countRows(
  { ctx }: TestAnnouncement,
  text: string,
  ...values: unknown[]
): Promise<number> {
  const [row] = await ctx.db.query<{ count: number }>({
    text: `select count(*) as count from ${text}`,
    values,
  });
  return row!.count;
}

export type User = { appId: string; userId: string };

/** The ids in the first page of a user's list, newest first. */
export async function listIds(service: TestAnnouncement, user: User): Promise<string[]> {
  const { received } = await service.announcement.listReceivedAnnouncements(user);
  return received.map(({ announcement }) => announcement!.id);
}

/** The number of a user's unread announcements that the service keeps. */
export async function countUnread({ ctx }: TestAnnouncement, { appId, userId }: User): Promise<number> {
  const [row] = await ctx.db.query<{ unread: number }>({
    text: `select unread from inbox where app_id = $1 and user_id = $2`,
    values: [appId, userId],
  });
  return row?.unread ?? 0;
}

export async function sendReceipt(
  service: TestAnnouncement,
  received: User & { id: string },
  type: 'delivery' | 'read',
): Promise<void> {
  const receiptType = type === 'read' ? ReceiptType.READ : ReceiptType.DELIVERY;
  await service.announcement.recordAnnouncementReceipt({ ...received, type: receiptType });
}

/** All pages of a user's replay since a time in milliseconds. */
export async function replay(service: TestAnnouncement, user: User, since: number): Promise<Event[]> {
  return (await replayPages(service, user, since)).flat();
}

export async function replayPages(service: TestAnnouncement, user: User, since: number): Promise<Event[][]> {
  const pages: Event[][] = [];
  for (let cursor = ''; ;) {
    const page = await service.changeLog.listUserEvents({ ...user, cursor, fromTimestamp: since });
    pages.push(page.events);
    if (page.cursor === '') return pages;
    cursor = page.cursor;
  }
}

/** Names an event: its kind, and for a receipt its type. */
export function kindOf({ body }: Event): string {
  if (body.case !== 'announcementReceiptRecorded') return body.case ?? '';
  return body.value.type === ReceiptType.READ ? 'read' : 'delivery';
}

/** Collects the application's live events from now on. */
export async function listenLive({ ctx }: TestAnnouncement, appId: string): Promise<Event[]> {
  return listen(ctx, `live.${appId}.*.event`);
}

/** Collects the events of a subject from now on. */
export async function listen({ bus }: Context, subject: string): Promise<Event[]> {
  const events: Event[] = [];
  bus.subscribeLive(subject, (payload) => void events.push(...fromBinary(EventBatchSchema, payload).events));
  await bus.flush();
  return events;
}

/** Publishes an event as another service does. */
export async function publish(
  { ctx }: TestAnnouncement,
  appId: string,
  body: NonNullable<MessageInitShape<typeof EventSchema>['body']>,
): Promise<void> {
  const event = create(EventSchema, { id: newId(), appId, createdAt: Date.now(), body });
  const payload = toBinary(EventBatchSchema, create(EventBatchSchema, { events: [event] }));
  await ctx.bus.publish(durableSubject(event), payload, { msgId: event.id });
}
