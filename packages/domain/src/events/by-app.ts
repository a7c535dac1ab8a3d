import type { Event } from '@parley/proto/parley/event/v1/event_pb';

/**
 * The events of each application, in the order of application ids. Every consumer that locks rows follows this order, so that
 * replicas do not deadlock.
 */
export function eventsByApp(events: readonly Event[]): [appId: string, events: Event[]][] {
  return [...Map.groupBy(events, ({ appId }) => appId)].sort(([first], [second]) =>
    first < second ? -1 : 1,
  );
}
