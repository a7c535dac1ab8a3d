import type { Event } from '@parley/proto/parley/event/v1/event_pb';

/** The events of each app, in the order of the apps' ids: the order in which consumers lock what belongs to them. */
export function byApp(events: readonly Event[]): [string, Event[]][] {
  return [...Map.groupBy(events, ({ appId }) => appId)].sort(([one], [other]) => (one < other ? -1 : 1));
}
