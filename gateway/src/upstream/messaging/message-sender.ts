import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import { Code, ConnectError, type Client } from '@connectrpc/connect';
import { messageOfDraft } from '@parley/domain/message-of-draft';
import { failWith, problemOf } from '@parley/domain/problems';
import {
  createBatcher,
  LANES_OF_MACHINE,
  observeBatches,
  refusedWith,
  SPLIT_FROM_ITEMS,
  type BatchOutcome,
} from '@parley/kit/flow/batch';
import type { RpcChannel } from '@parley/kit/rpc/client';
import type { Metrics } from '@parley/kit/runtime/telemetry/metrics';
import type { ContentService } from '@parley/proto/parley/content/v1/content_service_pb';
import type { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import {
  DuplicateMessageSchema,
  MessageDraftSchema,
  SentMessageSchema,
  type DuplicateMessage,
  type MessageDraft,
  type MessagingService,
  type SendMessagesResponse_Result,
  type SentMessage,
  type StoredMessage,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { laneOf } from '@parley/domain/lane';
import { claimContents } from '../content/claim.ts';
import { createContention } from './contention.ts';
import { toBatchItem, type BatchItem } from './batched-request.ts';
import type { ReplicaAffinity } from './replica-affinity.ts';
import { repeatableId } from './repeatable-id.ts';
import { createSendCalls, type EventListener } from './send-calls.ts';

export type SendResult =
  | { case: 'sent'; value: SentMessage }
  /** The id is in use; without the message if the sender may not see it. */
  | { case: 'duplicate'; value: DuplicateMessage };

export type MessageSender = {
  /** Stores a message, after giving it the ids it lacks. Problems: those of SendMessages and ClaimContents. */
  send(draft: DraftInit): Promise<SendResult>;
  /** Gives a message the ids it lacks and claims its content. Problems: those of ClaimContents. */
  prepare(draft: DraftInit): Promise<MessageDraft>;
  /** Stores a prepared message. */
  store(draft: MessageDraft): Promise<SendResult>;
  /** Calls `fn` with the encoded EventBatch of a stored message, if the answer carries it, before `send` resolves. `fn` must not throw. */
  onEvent(fn: EventListener): void;
  stop(): Promise<void>;
};

type DraftInit = MessageInitShape<typeof MessageDraftSchema>;

type Services = {
  messaging: Client<typeof MessagingService>;
  content: Client<typeof ContentService>;
  identity: Client<typeof IdentityService>;
  affinity: ReplicaAffinity;
  metrics: Metrics;
  /** Makes a call without a promise; default: every call uses a promise. */
  callBack?: RpcChannel['callBack'] | undefined;
};

const MAX_BATCH_BYTES = 1_048_576;

/**
 * Stores messages, from REST and sockets, in batches: messages that arrive during a call share the next call. The request id lets an
 * attempt repeated after a broken connection find its own row.
 */
export function createMessageSender({
  messaging,
  content,
  identity,
  affinity,
  metrics,
  callBack,
}: Services): MessageSender {
  let eventListener: EventListener = () => undefined;
  const { call, runDirectly } = createSendCalls({
    messaging,
    affinity,
    callBack,
    onEvent: (appId, payload) => eventListener(appId, payload),
  });

  const batcher = createBatcher<BatchItem<MessageDraft>, SendMessagesResponse_Result>({
    run: (gathered) => call(gathered, 0),
    runDirectly,
    contention: createContention(({ appId, conversationId }) => `${appId}/${conversationId}`, call),
    lanes: LANES_OF_MACHINE,
    splitFrom: SPLIT_FROM_ITEMS,
    laneOf: ({ item }) => laneOf(item.conversationId),
    maxItems: 500,
    maxBytes: MAX_BATCH_BYTES,
    sizeOf: ({ item }) => bytesOf(item),
    maxQueued: 20_000,
    observer: observeBatches(metrics, 'messages', outcomeOf),
  });

  async function prepare(init: DraftInit): Promise<MessageDraft> {
    const draft = create(MessageDraftSchema, init);
    draft.requestId ||= repeatableId();
    draft.id ||= repeatableId();
    await claimContents({ content, identity }, draft);
    return draft;
  }

  async function store(draft: MessageDraft): Promise<SendResult> {
    const { outcome } = await batcher.add(toBatchItem(draft));
    if (outcome.case === 'problem') return failWith(outcome.value);
    if (outcome.case === undefined || outcome.case === 'contended')
      throw new ConnectError('a message of a batch had no outcome', Code.Internal);
    if (outcome.case === 'duplicate' && outcome.value.leftOut) {
      return { case: 'duplicate', value: await findDuplicate(messaging, draft) };
    }
    return outcome.case === 'stored' ? { case: 'sent', value: toSent(draft, outcome.value) } : outcome;
  }

  return {
    prepare,
    store,
    onEvent: (fn) => void (eventListener = fn),
    send: async (init) => store(await prepare(init)),
    stop: () => batcher.stop(),
  };
}

/** `stored`, `duplicate`, or refused with a problem. An older replica of messaging says `sent` for a stored message. */
function outcomeOf({ outcome }: SendMessagesResponse_Result): BatchOutcome {
  if (outcome.case === 'problem') return refusedWith(outcome.value);
  return { outcome: outcome.case === 'sent' ? 'stored' : (outcome.case ?? 'none') };
}

function toSent(draft: MessageDraft, stored: StoredMessage): SentMessage {
  const { seq, membersSeq, withoutReceipts } = stored;
  return create(SentMessageSchema, {
    message: messageOfDraft(draft, stored),
    seq,
    membersSeq,
    withoutReceipts,
  });
}

/** The stored message with the draft's id, in the sender's view; empty if they may not see it. */
async function findDuplicate(
  messaging: Client<typeof MessagingService>,
  { appId, id, senderId, byServer }: MessageDraft,
): Promise<DuplicateMessage> {
  try {
    const found = await messaging.getMessage({ appId, id, userId: byServer ? '' : senderId });
    const { message, receipts } = found;
    return create(DuplicateMessageSchema, { ...(message && { message }), ...(receipts && { receipts }) });
  } catch (error) {
    const id = problemOf(error)?.id;
    if (id !== 'not_found' && id !== 'object_deleted') throw error;
    return create(DuplicateMessageSchema);
  }
}

/** Approximate size of a draft; ids and names count as 300. Bytes. */
function bytesOf({ parts, notification, metadata }: MessageDraft): number {
  let size = (notification ? 1_000 : 300) + Buffer.byteLength(metadata);
  for (const { body = '', mimeType, filename = '' } of parts)
    size += 100 + mimeType.length + Buffer.byteLength(body) + Buffer.byteLength(filename);
  return size;
}
