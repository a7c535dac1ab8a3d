import type { Client } from '@connectrpc/connect';
import type { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { owedEvents } from './catch-up.ts';
import type { Hub } from './hub.ts';
import { recipientsOf } from './recipients.ts';

type Options = { hub: Hub; logs: readonly Client<typeof ChangeLogService>[] };

/**
 * What is to be told in the place of an event that names its audience and was lost: more may have happened to its subject
 * since, so the log is asked, which has everything in order and as it is now.
 */
export async function* missedEvents({ hub, logs }: Options, lost: Event): AsyncGenerator<Event> {
  const { appId, createdAt: since } = lost;
  const subject = subjectOf(lost);
  if (subject === undefined) return;
  for (const { userId } of recipientsOf(hub, lost, undefined, true)) {
    for await (const { events } of owedEvents({ logs, appId, userId, since })) {
      yield* events.filter((event) => subjectOf(event) === subject);
    }
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
