import { create } from '@parley/codec';
import { changeBodies } from '@parley/domain/json/change';
import {
  ReceivedAnnouncementSchema,
  RecipientStatus,
  type ReceivedAnnouncement,
} from '@parley/proto/parley/announcement/v1/announcement_pb';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { changeFrame } from './about.ts';
import type { RenderContext, AddressedEvent } from './context.ts';

/** `create Announcement`, in each recipient's view. A live event names the announcement; a replayed one contains it. */
export async function renderAnnouncement(
  { view, announcements }: RenderContext,
  { event, recipients }: AddressedEvent,
): Promise<void> {
  if (event.body.case !== 'announcementReceived') return;
  const { announcementId, received, recipients: places } = event.body.value;
  const announcement = received?.announcement ?? (await announcements.get(event.appId, announcementId));
  if (!announcement) return;
  const positions = new Map(places.map(({ userId, position }) => [userId, position]));
  for (const { userId, sockets } of recipients) {
    const position = positions.get(userId) ?? 0;
    const status = RecipientStatus.SENT;
    const own = received ?? create(ReceivedAnnouncementSchema, { announcement, position, status });
    const bodies = changeBodies({ ...view, appId: event.appId, userId }, withReceived(event, own));
    const frames = bodies.map((body) => changeFrame(event, body));
    for (const body of frames) for (const socket of sockets) socket.push('change', body);
  }
}

function withReceived(event: Event, received: ReceivedAnnouncement): Event {
  if (event.body.case !== 'announcementReceived') return event;
  return { ...event, body: { case: 'announcementReceived', value: { ...event.body.value, received } } };
}
