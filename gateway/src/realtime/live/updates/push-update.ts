import type { View } from '@parley/domain/json/view';
import type { FrameBody } from '../../connection/frame.ts';
import type { PacketSink } from '../render/recipients.ts';
import type { PendingUpdate } from './pending-updates.ts';
import type { UnreadUpdate } from './unread-counts.ts';
import { stateSteps, updateBody } from './update-body.ts';

type Options = {
  hub: { of(appId: string, userId: string): ReadonlySet<PacketSink> | undefined };
  view: View;
};

/** Pushes an update to the user's sockets. `bodies` shares one frame among users with identical updates. */
export type PushUpdate = (
  update: PendingUpdate,
  unread: UnreadUpdate | undefined,
  bodies: Map<string, FrameBody>,
) => void;

export function createPushUpdate({ hub, view }: Options): PushUpdate {
  return (update, unread, bodies) => {
    const state = unread ? stateSteps(view, update, unread) : [];
    const stateKey = unread && `${unread.unread} ${update.withLastMessage ? unread.lastMessageId : ''}`;
    for (const socket of hub.of(update.appId, update.userId) ?? []) {
      const patches = update.patches.filter(({ sockets }) => sockets.has(socket));
      const isTold = socket.isLean === true && !update.forLean;
      const steps = [...patches.flatMap((patch) => patch.steps), ...(isTold ? [] : state)];
      if (steps.length === 0) continue;
      // A removed participant gets fewer steps of a change than the rest.
      const changes = patches.map((patch) => `${patch.seq}:${patch.steps.length}`).join();
      const key = `${update.appId}/${update.conversationId} ${changes} ${isTold ? '' : stateKey}`;
      let body = bodies.get(key);
      if (!body) bodies.set(key, (body = updateBody(view, update, steps)));
      socket.push('change', body);
    }
  };
}
