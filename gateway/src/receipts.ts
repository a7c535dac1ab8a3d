import { create, type MessageInitShape } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import { failWith } from '@parley/domain/problems';
import { createBatcher, lanesOfMachine } from '@parley/kit/batch';
import {
  RecordReceiptsRequest_ItemSchema,
  type MessagingService,
  type RecordReceiptsRequest_Item,
  type RecordReceiptsResponse_Result,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { callForAll, gather, type Gathered } from './gathered.ts';
import { laneOf } from '@parley/domain/lane';

export type Receipts = {
  /** Problems: not_found, access_denied. */
  record(item: MessageInitShape<typeof RecordReceiptsRequest_ItemSchema>): Promise<void>;
  stop(): Promise<void>;
};

/** Group commit of receipts, from REST and sockets. */
export function createReceipts({ messaging }: { messaging: Client<typeof MessagingService> }): Receipts {
  const batcher = createBatcher<Gathered<RecordReceiptsRequest_Item>, RecordReceiptsResponse_Result>({
    run: async (gathered) =>
      (await callForAll(gathered, (items) => messaging.recordReceipts({ items }))).results,
    lanes: lanesOfMachine,
    laneOf: ({ item }) => laneOf(item.messageId),
    maxItems: 500,
    maxQueued: 20_000,
  });
  return {
    async record(item) {
      const { problem } = await batcher.add(gather(create(RecordReceiptsRequest_ItemSchema, item)));
      if (problem) failWith(problem);
    },
    stop: () => batcher.stop(),
  };
}
