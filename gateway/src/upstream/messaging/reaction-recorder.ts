import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import { create } from '@parley/codec';
import { laneOf } from '@parley/domain/lane';
import { failWith } from '@parley/domain/problems';
import { createBatcher, LANES_OF_MACHINE, observeBatches, refusedWith } from '@parley/kit/flow/batch';
import { toReplica } from '@parley/kit/rpc/replica-choice';
import type { Metrics } from '@parley/kit/runtime/telemetry/metrics';
import { RecordReceiptsRequest_MessagePlaceSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import {
  ChangeReactionsRequest_ItemSchema,
  type ChangeReactionsRequest_Item,
  type ChangeReactionsResponse_Result,
  type ReactionService,
} from '@parley/proto/parley/messaging/v1/reaction_service_pb';
import { callWithRequestIds, toBatchItem, type BatchItem } from './batched-request.ts';
import { createContention, toAnswer } from './contention.ts';
import type { MessagePlaces } from './message-places.ts';
import { commonReplica, type ReplicaAffinity } from './replica-affinity.ts';

type Reaction = Omit<MessageInitShape<typeof ChangeReactionsRequest_ItemSchema>, '$typeName' | 'place'> & {
  appId: string;
  messageId: string;
};

export type ReactionRecorder = {
  /** Problems: not_found, access_denied, invalid_operation. */
  record(reaction: Reaction): Promise<void>;
  stop(): Promise<void>;
};

type Item = BatchItem<ChangeReactionsRequest_Item>;

type Options = {
  reactions: Client<typeof ReactionService>;
  affinity: ReplicaAffinity;
  messagePlaces: MessagePlaces;
  metrics: Metrics;
};

/** Gives reactions and takes them back, from REST and sockets, in batches: those that come during a call share the next one. */
export function createReactionRecorder(options: Options): ReactionRecorder {
  const { reactions, affinity, messagePlaces, metrics } = options;

  async function call(gathered: Item[], waitMs: number) {
    const replica = commonReplica(gathered, ({ item }) =>
      // Of a message whose conversation is not known, any server.
      affinity.ofConversation(item.place?.conversationId ?? item.messageId),
    );
    const { results } = await callWithRequestIds(gathered, (items) =>
      reactions.changeReactions({ items, waitMs }, toReplica(replica)),
    );
    return results.map((result) => toAnswer(result, result.contended !== undefined));
  }

  const batcher = createBatcher<Item, ChangeReactionsResponse_Result>({
    run: (gathered) => call(gathered, 0),
    contention: createContention(({ appId, messageId }) => `${appId}/${messageId}`, call),
    lanes: LANES_OF_MACHINE,
    laneOf: ({ item }) => laneOf(item.messageId),
    maxItems: 500,
    maxQueued: 20_000,
    observer: observeBatches(metrics, 'reactions', ({ problem }: ChangeReactionsResponse_Result) =>
      problem ? refusedWith(problem) : { outcome: 'changed' },
    ),
  });
  return {
    async record(reaction) {
      const known = messagePlaces.find(reaction.appId, reaction.messageId);
      const place = known && create(RecordReceiptsRequest_MessagePlaceSchema, known);
      const item = create(ChangeReactionsRequest_ItemSchema, { ...reaction, ...(place && { place }) });
      const { problem } = await batcher.add(toBatchItem(item));
      if (problem) failWith(problem);
    },
    stop: () => batcher.stop(),
  };
}
