import type { Event } from '@parley/proto/parley/event/v1/event_pb';

const FOR_INTERESTED: ReadonlySet<Event['body']['case']> = new Set([
  'messageCreated',
  'messageHidden',
  'messageUpdated',
  'reactionsChanged',
  'conversationRelisted',
  'receiptRecorded',
  'allRead',
  'allDelivered',
]);

/**
 * Whether an event is stored for consumers only if one of them awaits the events of its application. All others are stored for
 * every application, also messages and reactions with a notification, of which pushes are made. docs/events.md#events-by-interest
 */
export function isForInterestedOnly({ body }: Event): boolean {
  if (body.case === 'messageCreated' && body.value.message?.notification) return false;
  if (body.case === 'reactionsChanged' && body.value.pushes.length > 0) return false;
  return FOR_INTERESTED.has(body.case);
}
