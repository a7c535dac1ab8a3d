import type { Client } from '@connectrpc/connect';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Connection } from '../../connection/connection.ts';
import type { Audiences } from '../../messaging/audiences.ts';
import { RENDERERS } from '../render/index.ts';
import { namesItsAudience } from '../render/recipients.ts';
import { readStatuses, type ReplayStatuses } from './statuses.ts';
import { stateSteps, updateBody } from '../updates/update-body.ts';
import type { RenderContext, UpdateSink } from '../render/context.ts';

/** Tells one socket what it missed, by the same renderers as live. */
export type Replay = {
  /** Some of what was missed, in order; waits for `untilReady` after each. */
  events(events: readonly Event[], untilReady: () => Promise<void> | undefined): Promise<void>;
  /** The present unread number and newest message of each conversation that was touched. */
  finish(untilReady: () => Promise<void> | undefined): Promise<void>;
};

type Options = {
  context: RenderContext;
  audiences: Audiences;
  messaging: Client<typeof MessagingService>;
  connection: Connection;
};

const MAX_PAIRS = 500;

export function createReplay({ context, audiences, messaging, connection }: Options): Replay {
  const { appId, userId } = connection.caller;
  const touched = new Set<string>();
  function touch(event: Event): void {
    touched.add(event.conversationId);
  }
  const updates: UpdateSink = {
    patched: (event, _, steps) => {
      if (steps.length > 0) connection.write('change', updateBody(context.view, event, steps));
      if (removes(event, userId)) touched.delete(event.conversationId);
    },
    messageCreated: touch,
    unreadIs: touch,
    changed: touch,
    forget: (event) => void touched.delete(event.conversationId),
  };
  let ready = (): Promise<void> | undefined => undefined;
  const socket = { push: connection.write.bind(connection), ready: () => ready() };
  const recipients = [{ userId, sockets: [socket] }];

  async function render(event: Event, known: ReplayStatuses): Promise<void> {
    const kind = event.body.case;
    if (!kind) return;
    const named = namesItsAudience(event);
    const statuses = known.of(event);
    const audience = named || statuses ? undefined : await audiences.current(appId, event.conversationId);
    await RENDERERS[kind]?.(
      { ...context, updates },
      { event, audience, recipients, ...(statuses && { statuses }) },
    );
  }

  return {
    async events(events, untilReady) {
      ready = untilReady;
      const statuses = await readStatuses(messaging, events);
      for (const event of events) {
        await render(event, statuses);
        await ready();
      }
    },
    async finish(untilReady) {
      const conversations = [...touched];
      for (let first = 0; first < conversations.length; first += MAX_PAIRS) {
        const pairs = conversations
          .slice(first, first + MAX_PAIRS)
          .map((conversationId) => ({ appId, conversationId, userId, withLastMessage: true }));
        const { results } = await messaging.getUnreadCounts({ items: pairs });
        results.forEach(({ unreadMessageCount: unread, lastMessageId }, index) => {
          const pair = pairs[index];
          if (!pair) return;
          const steps = stateSteps(context.view, pair, {
            unread,
            lastMessageId: lastMessageId || undefined,
          });
          connection.write('change', updateBody(context.view, pair, steps));
        });
        await untilReady();
      }
    },
  };
}

/** Who is removed is told of nothing after it. */
function removes({ body }: Event, userId: string): boolean {
  return body.case === 'conversationUpdated' && body.value.removedUserIds.includes(userId);
}
