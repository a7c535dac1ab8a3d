import { fromBinary } from '@bufbuild/protobuf';
import { conversationReference } from '@parley/domain/json/conversation';
import { basicIdentityJson } from '@parley/domain/json/identity';
import type { View } from '@parley/domain/json/view';
import { SignalSchema, Typing_Action } from '@parley/proto/parley/live/v1/live_pb';
import { frameBody } from '../socket/frame.ts';
import type { Audiences } from './audiences.ts';
import type { Hub } from './hub.ts';

const actions = {
  [Typing_Action.UNSPECIFIED]: 'finished',
  [Typing_Action.STARTED]: 'started',
  [Typing_Action.PAUSED]: 'paused',
  [Typing_Action.FINISHED]: 'finished',
} as const;

type Options = { hub: Hub; audiences: Audiences; view: View };

/** Tells the other participants' sockets that somebody types; never stored, never replayed. */
export const createSignals =
  ({ hub, audiences, view }: Options) =>
  async (payload: Uint8Array, appId: string): Promise<void> => {
    const { conversationId, kind } = fromBinary(SignalSchema, payload);
    const users = hub.usersOf(appId);
    if (!users || kind.case !== 'typing' || !kind.value.sender) return;
    const { sender, action } = kind.value;
    const audience = await audiences.current(appId, conversationId);
    const appView = { ...view, appId };
    const body = frameBody({
      type: 'typing_indicator',
      object: { type: 'Conversation', ...conversationReference(appView, conversationId) },
      data: { action: actions[action], sender: basicIdentityJson(appView, sender) },
    });
    for (const { identity, leftSeq } of audience.members) {
      if (!identity || leftSeq !== 0 || identity.userId === sender.userId) continue;
      for (const socket of users.get(identity.userId) ?? []) socket.push('signal', body);
    }
  };
