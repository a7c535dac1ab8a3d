import { create, toBinary } from '@parley/codec';
import { liveSubject, shardsOfMask } from '@parley/domain/events';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { SignalSchema, type Typing_Action } from '@parley/proto/parley/live/v1/live_pb';
import type { Bus } from '@parley/kit/bus';

export type Typing = {
  appId: string;
  conversationId: string;
  /** The conversation's audience_shards. */
  shards: string;
  sender: BasicIdentity;
  action: Typing_Action;
  /** Participants who do not see it. */
  hiddenFrom: readonly string[];
  /** How long the typing lasts, of a start whose end is known. */
  lastsMs?: number;
};

type LiveContext = { bus: Bus; config: { liveShards: number } };

/** Publishes a live signal, which is not stored: a gateway that misses it never learns of it. */
export function publishTyping({ bus, config }: LiveContext, typing: Typing): void {
  const { appId, conversationId, shards, sender, action, hiddenFrom, lastsMs = 0 } = typing;
  const signal = create(SignalSchema, {
    conversationId,
    kind: { case: 'typing', value: { action, sender, lastsMs, hiddenFrom: [...hiddenFrom] } },
  });
  const payload = toBinary(SignalSchema, signal);
  for (const shard of shardsOfMask(shards, config.liveShards)) {
    bus.publishLive(liveSubject(appId, shard, 'signal'), payload);
  }
}
