import type { Event } from '@parley/proto/parley/event/v1/event_pb';

/** Sorts by time, but keeps the given order within each conversation. */
export function orderByTime(events: readonly Event[]): Event[] {
  const latest = new Map<string, number>();
  const timed = events.map((event) => {
    const at = Math.max(event.createdAt, latest.get(event.conversationId) ?? 0);
    latest.set(event.conversationId, at);
    return { event, at };
  });
  return timed.sort((a, b) => a.at - b.at).map(({ event }) => event);
}
