import { Typing_Action } from '@parley/proto/parley/live/v1/live_pb';
import type { Uses } from '../context.ts';
import type { Connection } from '../connection/connection.ts';
import type { TypingSignal } from '../connection/packet.ts';
import type { DroppedReports } from './dropped.ts';

/** A user stops appearing to type this long after the last signal. Milliseconds. docs/protocol/websocket.md#signals */
const ABANDONED_AFTER_MS = 10_000;

export type TypingRelay = {
  signal(connection: Connection, typing: TypingSignal): void;
  left(connection: Connection): void;
  stop(): void;
};

/** Passes typing signals on to messaging, and sends `finished` for clients that fail to. */
export function createTypingRelay(
  ctx: Uses<'clock' | 'log' | 'messaging' | 'wire'>,
  dropped: DroppedReports,
): TypingRelay {
  const started = new Map<Connection, Map<string, () => void>>();

  async function send(connection: Connection, { conversationId, action }: TypingSignal): Promise<void> {
    const { appId, userId } = connection.caller;
    await ctx.messaging.sendTyping({ appId, conversationId, userId, action });
  }

  function noteFailed(error: unknown): void {
    ctx.log.debug({ error }, 'failed to forward typing signal; dropping it');
  }

  function finish(connection: Connection, conversationId: string): void {
    send(connection, { conversationId, action: Typing_Action.FINISHED }).catch(noteFailed);
  }

  function cancelFinish(connection: Connection, conversationId: string): boolean {
    const cancel = started.get(connection)?.get(conversationId);
    if (!cancel) return false;
    cancel();
    started.get(connection)?.delete(conversationId);
    return true;
  }

  function watch(connection: Connection, conversationId: string): void {
    const conversations = started.get(connection) ?? new Map<string, () => void>();
    started.set(connection, conversations);
    const cancel = ctx.clock.setTimer(ABANDONED_AFTER_MS, () => {
      if (cancelFinish(connection, conversationId)) finish(connection, conversationId);
    });
    conversations.set(conversationId, cancel);
  }

  return {
    signal(connection, typing) {
      const { conversationId, action } = typing;
      cancelFinish(connection, conversationId);
      if (action !== Typing_Action.FINISHED) watch(connection, conversationId);
      send(connection, typing).catch((error: unknown) => {
        noteFailed(error);
        dropped.report(connection, error, { object_id: ctx.wire.uri('conversations', conversationId) });
      });
    },
    left(connection) {
      for (const conversationId of [...(started.get(connection)?.keys() ?? [])]) {
        if (cancelFinish(connection, conversationId)) finish(connection, conversationId);
      }
      started.delete(connection);
    },
    stop() {
      for (const conversations of started.values()) for (const cancel of conversations.values()) cancel();
      started.clear();
    },
  };
}
