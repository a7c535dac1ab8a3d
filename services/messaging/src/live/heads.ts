import { create, toBinary } from '@parley/codec';
import { liveSubject, shardsOfMask } from '@parley/domain/events';
import type { Bus } from '@parley/kit/bus';
import { REBROADCAST_AFTER_MS } from '@parley/kit/bus/rebroadcast';
import type { Clock } from '@parley/kit/clock';
import { HeadsSchema, type Head } from '@parley/proto/parley/live/v1/live_pb';

export type ChangedConversation = { appId: string; conversationId: string; seq: number; shards: string };
export type Heads = { note(changed: ChangedConversation): void; stop(): void };

type HeadsWindow = {
  appId: string;
  conversationId: string;
  firstSeq: number;
  seq: number;
  shards: Set<number>;
};

const MAX_HEADS_PER_MESSAGE = 5000;

/**
 * Publishes the newest change numbers of conversations again, a second later, so that a gateway that lost the last live
 * message of a conversation notices. One message covers all changes of that second.
 */
export function createHeads(options: { bus: Bus; clock: Clock; shards: number }): Heads {
  const { bus, clock } = options;
  let windows = new Map<string, HeadsWindow>();
  let cancelTimer: (() => void) | undefined;

  function note({ appId, conversationId, seq, shards }: ChangedConversation): void {
    const key = `${appId}/${conversationId}`;
    const window = windows.get(key) ?? { appId, conversationId, firstSeq: seq, seq, shards: new Set() };
    window.firstSeq = Math.min(window.firstSeq, seq);
    window.seq = Math.max(window.seq, seq);
    for (const shard of shardsOfMask(shards, options.shards)) window.shards.add(shard);
    windows.set(key, window);
    cancelTimer ??= clock.setTimer(REBROADCAST_AFTER_MS, publish);
  }

  function publish(): void {
    cancelTimer = undefined;
    const bySubject = groupBySubject(windows.values());
    windows = new Map();
    for (const [subject, heads] of bySubject) {
      for (let at = 0; at < heads.length; at += MAX_HEADS_PER_MESSAGE) {
        const some = heads.slice(at, at + MAX_HEADS_PER_MESSAGE);
        const message = create(HeadsSchema, { heads: some, sentAt: clock.now() });
        bus.publishLive(subject, toBinary(HeadsSchema, message), { untilProven: true });
      }
    }
  }

  function stop(): void {
    cancelTimer?.();
    publish();
  }

  return { note, stop };
}

function groupBySubject(windows: Iterable<HeadsWindow>): Map<string, Omit<Head, '$typeName'>[]> {
  const bySubject = new Map<string, Omit<Head, '$typeName'>[]>();
  for (const { appId, conversationId, firstSeq, seq, shards } of windows) {
    for (const shard of shards) {
      const subject = liveSubject(appId, shard, 'heads');
      const heads = bySubject.get(subject) ?? [];
      heads.push({ conversationId, firstSeq, seq });
      bySubject.set(subject, heads);
    }
  }
  return bySubject;
}
