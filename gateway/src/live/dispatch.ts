import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Audience } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Audiences } from '../messaging/audiences.ts';
import type { Hub } from '../connection/hub.ts';
import { renderers, type Rendering } from './render/index.ts';
import { namesItsAudience, recipientsOf } from './render/recipients.ts';
import type { Delivery } from './streams.ts';

type Options = { hub: Hub; audiences: Audiences; rendering: Rendering };

/** Tells the sockets of an event's audience; waits only where the audience has to be fetched. */
export const createDispatch = ({ hub, audiences, rendering }: Options) => {
  const fanOut = (event: Event, audience: Audience | undefined, delivery: Delivery): void | Promise<void> => {
    const recipients = recipientsOf(hub, event, audience, delivery);
    const kind = event.body.case;
    if (!kind || recipients.length === 0) return;
    return renderers[kind]?.(rendering, { event, audience, recipients });
  };

  return (event: Event, delivery: Delivery): void | Promise<void> => {
    // A repaired event has the participants of now, not those of its time.
    if (!delivery.repaired) audiences.learn(event);
    if (namesItsAudience(event)) return fanOut(event, undefined, delivery);
    const { appId, conversationId, membersSeq } = event;
    const audience = audiences.peek(appId, conversationId, membersSeq);
    if (audience) return fanOut(event, audience, delivery);
    return audiences
      .at(appId, conversationId, membersSeq)
      .then((fetched) => fanOut(event, fetched, delivery));
  };
};
