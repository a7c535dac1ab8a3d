import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import type { Client } from '@connectrpc/connect';
import { failWith } from '@parley/domain/problems';
import { createBatcher, LANES_OF_MACHINE, observeBatches, refusedWith } from '@parley/kit/batch';
import { toServer } from '@parley/kit/rpc/server-choice';
import type { Metrics } from '@parley/kit/telemetry/metrics';
import {
  RecordReceiptsRequest_ItemSchema,
  type MessagingService,
  type RecordReceiptsRequest_Item,
  type RecordReceiptsResponse_Result,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { laneOf } from '@parley/domain/lane';
import { toAnswer, createContention } from './contention.ts';
import { callWithRequestIds, toBatchItem, type BatchItem } from './batched-request.ts';
import { commonHome, type Homes } from './homes.ts';

export type ReceiptRecorder = {
  /** Problems: not_found, access_denied. */
  record(item: MessageInitShape<typeof RecordReceiptsRequest_ItemSchema>): Promise<void>;
  stop(): Promise<void>;
};

/** Records receipts, from REST and sockets, in batches: those that come during a call share the next one. */
export function createReceiptRecorder({
  messaging,
  homes,
  metrics,
}: {
  messaging: Client<typeof MessagingService>;
  homes: Homes;
  metrics: Metrics;
}): ReceiptRecorder {
  async function call(gathered: BatchItem<RecordReceiptsRequest_Item>[], waitMs: number) {
    const home = commonHome(gathered, ({ item }) => homes.ofMessage(item.messageId));
    const { results } = await callWithRequestIds(gathered, (items) =>
      messaging.recordReceipts({ items, waitMs }, toServer(home)),
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
    async record(item) {
      const { problem } = await batcher.add(toBatchItem(create(RecordReceiptsRequest_ItemSchema, item)));
      if (problem) failWith(problem);
    },
    stop: () => batcher.stop(),
  };
}
