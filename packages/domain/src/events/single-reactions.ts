import { create } from '@parley/codec';
import { ReactionsChangedSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { derivedId } from '../derived-id.ts';

/** The change of one reaction as an event of its own: with the same id each time, and the user as actor. */
export type SingleReaction = { event: Event; removed: boolean };

/** The changes of reactions that an event consists of, each as an event; none of other events. */
export function singleReactionsOf(event: Event): SingleReaction[] {
  const { body } = event;
  if (body.case !== 'reactionsChanged') return [];
  const { messageId, position, changes } = body.value;
  return changes.map((change) => {
    const { id, user, removed } = change;
    const value = create(ReactionsChangedSchema, { messageId, position, changes: [change] });
    const single: Event = {
      ...event,
      id: derivedId(event.id, `${id} ${removed}`),
      body: { case: 'reactionsChanged', value },
    };
    if (user) single.actor = user;
    return { event: single, removed };
  });
}
