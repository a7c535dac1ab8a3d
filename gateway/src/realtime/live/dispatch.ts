import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Audience } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Audiences } from '../../upstream/messaging/audiences.ts';
import type { Hub } from '../connection/hub.ts';
import { RENDERERS } from './render/index.ts';
import { namesItsAudience, recipientsOf } from './render/recipients.ts';
import type { RenderContext } from './render/context.ts';
import type { Arrival } from './render/recipients.ts';

type Options = {
  hub: Hub;
  audiences: Audiences;
  context: RenderContext;
  /** Changes when events received earlier must no longer be delivered. */
  era(): number;
};

/** Pushes an event to the sockets of its audience; waits only when the audience has to be fetched. */
export function createDispatch({ hub, audiences, context, era }: Options) {
  function fanOut(event: Event, audience: Audience | undefined, arrival: Arrival): void | Promise<void> {
    const recipients = recipientsOf(hub, event, audience, arrival);
    const kind = event.body.case;
    if (!kind || recipients.length === 0) return;
    return RENDERERS[kind]?.(context, { event, audience, recipients });
  }

  return (event: Event, arrival: Arrival): void | Promise<void> => {
    // A repaired event lists the present participants, not those at its time.
    if (!arrival.repaired) audiences.learn(event);
    if (namesItsAudience(event)) return fanOut(event, undefined, arrival);
    const { appId, conversationId, membersSeq } = event;
    const audience = audiences.peek(appId, conversationId, membersSeq);
    if (audience) return fanOut(event, audience, arrival);
    const before = era();
    return audiences
      .at(appId, conversationId, membersSeq)
      .then((fetched) => (era() === before ? fanOut(event, fetched, arrival) : undefined));
  };
}
