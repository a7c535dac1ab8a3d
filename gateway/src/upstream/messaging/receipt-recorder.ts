import { create } from '@parley/codec';
import type { Client } from '@connectrpc/connect';
import { failWith } from '@parley/domain/problems';
import { createBatcher, LANES_OF_MACHINE, observeBatches, refusedWith } from '@parley/kit/flow/batch';
import { toReplica } from '@parley/kit/rpc/replica-choice';
import type { Metrics } from '@parley/kit/runtime/telemetry/metrics';
import type { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import {
  RecordReceiptsRequest_ItemSchema,
  RecordReceiptsRequest_MessagePlaceSchema,
  type MessagingService,
  type RecordReceiptsRequest_Item,
  type RecordReceiptsResponse_Result,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { laneOf } from '@parley/domain/lane';
import { toAnswer, createContention } from './contention.ts';
import { callWithRequestIds, toBatchItem, type BatchItem } from './batched-request.ts';
import { commonReplica, type ReplicaAffinity } from './replica-affinity.ts';
import type { MessagePlaces } from './message-places.ts';

type Receipt = { appId: string; userId: string; messageId: string; type: ReceiptType };

export type ReceiptRecorder = {
  /** Problems: not_found, access_denied. */
  record(receipt: Receipt): Promise<void>;
  stop(): Promise<void>;
};

/** Records receipts, from REST and sockets, in batches: receipts that arrive during a call share the next call. */
export function createReceiptRecorder({
  messaging,
  affinity,
  messagePlaces,
  metrics,
}: {
  messaging: Client<typeof MessagingService>;
  affinity: ReplicaAffinity;
  messagePlaces: MessagePlaces;
  metrics: Metrics;
}): ReceiptRecorder {
  async function call(gathered: BatchItem<RecordReceiptsRequest_Item>[], waitMs: number) {
    const replica = commonReplica(gathered, ({ item }) =>
      // If the message's conversation is not known, any replica will do.
      affinity.ofConversation(item.place?.conversationId ?? item.messageId),
    );
    const { results } = await callWithRequestIds(gathered, (items) =>
      messaging.recordReceipts({ items, waitMs }, toReplica(replica)),
    );
    return results.map((result) => toAnswer(result, result.contended !== undefined));
  }

  const batcher = createBatcher<BatchItem<RecordReceiptsRequest_Item>, RecordReceiptsResponse_Result>({
    run: (gathered) => call(gathered, 0),
    contention: createContention(({ appId, messageId }) => `${appId}/${messageId}`, call),
    lanes: LANES_OF_MACHINE,
    laneOf: ({ item }) => laneOf(item.messageId),
    maxItems: 500,
    maxQueued: 20_000,
    observer: observeBatches(metrics, 'receipts', ({ problem }: RecordReceiptsResponse_Result) =>
      problem ? refusedWith(problem) : { outcome: 'recorded' },
    ),
  });
  return {
    async record(receipt) {
      const known = messagePlaces.find(receipt.appId, receipt.messageId);
      const place = known && create(RecordReceiptsRequest_MessagePlaceSchema, known);
      const item = create(RecordReceiptsRequest_ItemSchema, { ...receipt, ...(place && { place }) });
      const { problem } = await batcher.add(toBatchItem(item));
      if (problem) failWith(problem);
    },
    stop: () => batcher.stop(),
  };
}
