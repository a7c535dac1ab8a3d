import type { Event } from '@parley/proto/parley/event/v1/event_pb';

/**
 * Participants whom an event does not reach: they do not see its subject, or block the acting user. Messaging decides this in the
 * transaction of the change, so that live delivery, repairs, replays and REST agree. Applies to every event with a list `hidden_from`.
 * docs/decisions/relations.md#what-a-block-withholds
 */
export function hiddenFrom({ body }: Pick<Event, 'body'>): readonly string[] {
  const value: object | undefined = body.value;
  return value && 'hiddenFrom' in value && Array.isArray(value.hiddenFrom)
    ? (value.hiddenFrom as string[])
    : [];
}

export function isWithheld(event: Pick<Event, 'body'>, userId: string): boolean {
  return hiddenFrom(event).includes(userId);
}
