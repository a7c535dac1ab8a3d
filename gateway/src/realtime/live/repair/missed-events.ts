import type { Client } from '@connectrpc/connect';
import type { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { readUserEvents } from '../replay/user-events.ts';
import type { Hub } from '../../connection/hub.ts';
import { recipientsOf } from '../render/recipients.ts';

type Options = { logs: readonly Client<typeof ChangeLogService>[]; userId: string };

/** Users connected to this gateway who are recipients of a lost event that names its audience. `now` is the gateway's clock. */
export function usersWhoMissed(hub: Hub, lost: Event, now: number): string[] {
  // The event was rebroadcast after it happened, so this gateway's clock is ahead by less than the difference.
  const arrival = { repaired: true, aheadMs: now - lost.createdAt };
  return recipientsOf(hub, lost, undefined, arrival).map(({ userId }) => userId);
}

/**
 * The events that replace a lost event that names its audience. They are read from the log, which has all events of the subject in order
 * with their present content, since more may have happened meanwhile.
 */
export async function* missedEvents({ logs, userId }: Options, lost: Event): AsyncGenerator<Event> {
  const { appId, createdAt: since } = lost;
  const subject = subjectOf(lost);
  if (subject === undefined) return;
  for await (const { events } of readUserEvents({ logs, appId, userId, since })) {
    yield* events.filter((event) => subjectOf(event) === subject);
  }
}

/** The announcement or the identity that the event is about. */
function subjectOf({ body }: Event): string | undefined {
  switch (body.case) {
    case 'announcementReceived':
    case 'announcementReceiptRecorded':
    case 'announcementDeleted':
      return `announcement ${body.value.announcementId}`;
    case 'identityChanged':
      return `identity ${body.value.identity?.userId}`;
    default:
      return undefined;
  }
}
