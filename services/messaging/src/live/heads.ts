import { create, toBinary } from '@parley/codec';
import { liveSubject, shardsOfMask } from '@parley/domain/events';
import type { Bus } from '@parley/kit/bus';
import { REBROADCAST_AFTER_MS } from '@parley/kit/bus/rebroadcast';
import type { Clock } from '@parley/kit/runtime/clock';
import { HeadsSchema, type Head } from '@parley/proto/parley/live/v1/live_pb';

/** `epoch`: that of the database that the number is of. */
export type ChangedConversation = {
  appId: string;
  conversationId: string;
  seq: number;
  shards: string;
  epoch: string;
};
export type Heads = { note(changed: ChangedConversation): void; stop(): void };

type HeadsWindow = {
  appId: string;
  conversationId: string;
  firstSeq: number;
  seq: number;
  shards: Set<number>;
  epoch: string;
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

  function note({ appId, conversationId, seq, shards, epoch }: ChangedConversation): void {
    const key = `${appId}/${conversationId}/${epoch}`;
    const window = windows.get(key) ?? {
      appId,
      conversationId,
      firstSeq: seq,
      seq,
      epoch,
      shards: new Set<number>(),
    };
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
    for (const { subject, epoch, heads } of bySubject) {
      for (let at = 0; at < heads.length; at += MAX_HEADS_PER_MESSAGE) {
        const some = heads.slice(at, at + MAX_HEADS_PER_MESSAGE);
        const message = create(HeadsSchema, { heads: some, sentAt: clock.now(), epoch });
        bus.publishLive(subject, toBinary(HeadsSchema, message), { untilConfirmed: true });
      }
    }
  }

  function stop(): void {
    cancelTimer?.();
    publish();
  }

  return { note, stop };
}

type Group = { subject: string; epoch: string; heads: Omit<Head, '$typeName'>[] };

function groupBySubject(windows: Iterable<HeadsWindow>): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const { appId, conversationId, firstSeq, seq, shards, epoch } of windows) {
    for (const shard of shards) {
      const subject = liveSubject(appId, shard, 'heads');
      const key = `${subject} ${epoch}`;
      const group = groups.get(key) ?? { subject, epoch, heads: [] };
      group.heads.push({ conversationId, firstSeq, seq });
      groups.set(key, group);
    }
  }
  return groups.values();
}
