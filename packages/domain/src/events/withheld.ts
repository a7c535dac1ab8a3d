import type { Event } from '@parley/proto/parley/event/v1/event_pb';

/**
 * Users whom an event does not reach although they take part: they do not see its subject, or block who acts. Messaging decides it in the
 * transaction of the change, so that live delivery, repairs, replays and REST agree. Every event with a list `hidden_from` is meant.
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
