import type { Client } from '@connectrpc/connect';
import { changeBodies, type ChangeStep } from '@parley/domain/json/change';
import { isWithheld } from '@parley/domain/events/withheld';
import type { RecipientStatuses } from '@parley/domain/receipts';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Connection } from '../../connection/connection.ts';
import { GoneObjects } from '../../connection/gone-objects.ts';
import type { Audiences } from '../../../upstream/messaging/audiences.ts';
import { changeFrame } from '../render/about.ts';
import { RENDERERS } from '../render/index.ts';
import type { PacketSink, Recipient } from '../render/recipients.ts';
import { createTimeSlice } from '@parley/kit/flow/time-slice';
import { readStatuses } from './statuses.ts';
import { stateSteps, updateBody } from '../updates/update-body.ts';
import type { ReactionSink, RenderContext, UpdateSink } from '../render/context.ts';

/** Writes to one socket the events it missed, with the renderers of live events. */
export type Replay = {
  /** Writes some of the missed events, in order, and waits for `untilRead` after each. */
  events(events: readonly Event[], untilRead: UntilRead): Promise<void>;
  /** Writes the present unread count and newest message of each conversation that the events concern. */
  finish(untilRead: UntilRead): Promise<void>;
};

type UntilRead = () => Promise<void> | undefined;

/** Sends a packet to the client. */
type Write = PacketSink['push'];

type Options = {
  context: RenderContext;
  audiences: Audiences;
  messaging: Client<typeof MessagingService>;
  connection: Connection;
  write: Write;
};

const MAX_PAIRS = 500;

export function createReplay(given: Omit<Options, 'write'>): Replay {
  const { audiences, messaging, connection } = given;
  const { appId, userId } = connection.caller;
  const touched = new Set<string>();
  const told = new GoneObjects();
  const write: Write = (type, body) => connection.write(type, body, told);
  const options: Options = { ...given, write };
  const context = {
    ...given.context,
    updates: createUpdateSink(options, touched),
    reactions: createReactionSink(options),
    texts: undefined,
    delivered: undefined,
  };
  let currentUntilRead: UntilRead | undefined;
  const socket: PacketSink = {
    push: write,
    isExtended: connection.isExtended,
    isLean: connection.isLean,
    wasToldGone: (id, seq) => told.has(id, seq),
    untilRead: () => currentUntilRead?.(),
  };
  const recipients: Recipient[] = [{ userId, sockets: [socket] }];

  async function render(event: Event, statuses: RecipientStatuses | undefined): Promise<void> {
    const kind = event.body.case;
    if (!kind || isWithheld(event, userId)) return;
    // Only the recipient_status of a message whose receipts are not known needs the audience.
    const needsAudience = kind === 'messageCreated' && !statuses;
    const audience = needsAudience ? await audiences.current(appId, event.conversationId) : undefined;
    await RENDERERS[kind]?.(context, { event, audience, recipients, ...(statuses && { statuses }) });
  }

  return {
    async events(events, untilRead) {
      currentUntilRead = untilRead;
      const statuses = await readStatuses(messaging, events);
      const giveWay = createTimeSlice();
      for (const event of events) {
        await render(event, statuses.of(event));
        await untilRead();
        await giveWay();
      }
    },
    async finish(untilRead) {
      const conversationIds = [...touched];
      for (let first = 0; first < conversationIds.length; first += MAX_PAIRS) {
        await writeStates(options, conversationIds.slice(first, first + MAX_PAIRS));
        await untilRead();
      }
    },
  };
}

/** The sink of a replay writes patches at once, and collects the conversations whose state is written at the end. */
function createUpdateSink({ context, connection, write }: Options, touched: Set<string>): UpdateSink {
  function touch({ conversationId }: Event): undefined {
    touched.add(conversationId);
  }
  return {
    patched(event, _, steps) {
      const isRemoval = removes(event, connection.caller.userId);
      const all = isRemoval ? [...steps, NOTHING_UNREAD] : steps;
      if (all.length > 0) write('change', updateBody(context.view, event, all));
      if (isRemoval) touched.delete(event.conversationId);
    },
    messageCreated: touch,
    unreadIs: touch,
    changed: touch,
    forget: ({ conversationId }) => void touched.delete(conversationId),
  };
}

/** The sink of a replay writes changes of reactions at once, with the user's own. */
function createReactionSink({ context, connection, write }: Options): ReactionSink {
  const { userId } = connection.caller;
  return {
    changed(event) {
      const view = { ...context.view, appId: event.appId, userId };
      for (const body of changeBodies(view, event)) write('change', changeFrame(event, body));
    },
    forget: () => undefined,
  };
}

async function writeStates(
  { context, messaging, connection, write }: Options,
  conversationIds: string[],
): Promise<void> {
  const { appId, userId } = connection.caller;
  const pairs = conversationIds.map((conversationId) => ({
    appId,
    conversationId,
    userId,
    withLastMessage: true,
  }));
  const { results } = await messaging.getUnreadCounts({ items: pairs });
  results.forEach(({ unreadMessageCount: unread, lastMessageId }, index) => {
    const pair = pairs[index];
    if (!pair) return;
    const steps = stateSteps(context.view, pair, { unread, lastMessageId: lastMessageId || undefined });
    write('change', updateBody(context.view, pair, steps));
  });
}

/** The last step that a removed user gets of a conversation. */
const NOTHING_UNREAD: ChangeStep = { operation: 'set', property: 'unread_message_count', value: 0 };

/** Whether an event removes the user, who gets no later events. */
function removes({ body }: Event, userId: string): boolean {
  return body.case === 'conversationUpdated' && body.value.removedUserIds.includes(userId);
}
