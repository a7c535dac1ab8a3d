import type { MessageInitShape } from '@bufbuild/protobuf';
import { create, toBinary } from '@parley/codec';
import { ContendedError } from '@parley/kit/flow/batch';
import { ANSWER_BYTES } from '@parley/kit/rpc/byte-budget';
import { problem } from '@parley/domain/problems';
import {
  SendMessagesResponse_ResultSchema,
  type MessageDraft,
  type SendMessagesRequest,
  type SendMessagesResponse_Result,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { giveUpTime } from '../transaction/contention.ts';
import type { Context } from '../context.ts';
import { toProblem } from '../transaction/failures.ts';
import { showDuplicate } from '../message/view.ts';
import { toMessage } from '../message/record.ts';
import { listReceipts } from '../read-state/receipts.ts';
import { createOutgoingMessage, findDraftProblem, type SendOutcome } from '../message/send/outgoing.ts';
import type { SendBatcher } from '../message/send/batcher.ts';
import type { RpcContext } from './rpc-context.ts';
import { findMessage } from '../sql/message/message.ts';

export async function sendMessages({ sending }: RpcContext, { items, waitMs, lean }: SendMessagesRequest) {
  const { ctx, sends } = sending;
  const giveUpAt = giveUpTime(waitMs);
  const understandsContended = waitMs !== undefined;
  const readDuplicate = createDuplicateReader(ctx);
  return {
    results: await Promise.all(
      items.map((draft) =>
        sendMessage(ctx, sends, { draft, giveUpAt, understandsContended, lean, readDuplicate }),
      ),
    ),
  };
}

/**
 * `understandsContended`: the caller knows this outcome and retries. `lean`: the answer leaves out the fields of a stored
 * message that its draft has.
 */
type Call = {
  draft: MessageDraft;
  giveUpAt: number;
  understandsContended: boolean;
  lean: boolean;
  readDuplicate: DuplicateReader;
};

async function sendMessage(
  ctx: Context,
  sends: SendBatcher,
  { draft, giveUpAt, understandsContended, lean, readDuplicate }: Call,
): Promise<SendMessagesResponse_Result> {
  const outgoing = createOutgoingMessage(draft);
  const fault = findDraftProblem(outgoing);
  if (fault) return toResult({ case: 'problem', value: fault });
  try {
    return await answer(ctx, { draft, lean, readDuplicate }, await sends.add({ ...outgoing, giveUpAt }));
  } catch (error) {
    if (error instanceof ContendedError) {
      return toResult(
        understandsContended
          ? { case: 'contended', value: {} }
          : { case: 'problem', value: problem('service_unavailable') },
      );
    }
    return toResult({ case: 'problem', value: toProblem(error, ctx.log) });
  }
}

async function answer(
  ctx: Context,
  { draft, lean, readDuplicate }: Pick<Call, 'draft' | 'lean' | 'readDuplicate'>,
  outcome: SendOutcome,
): Promise<SendMessagesResponse_Result> {
  switch (outcome.kind) {
    case 'sent': {
      const { message, seq, membersSeq, withoutReceipts, event } = outcome;
      const about = { seq, membersSeq, withoutReceipts };
      if (!lean) return toResult({ case: 'sent', value: { message, ...about } });
      const { position, sentAt, sender } = message;
      const value = { ...about, position, sentAt, ...(sender && { sender }), ...(event && { event }) };
      return toResult({ case: 'stored', value });
    }
    case 'repeated':
      return answerKnown(ctx, draft);
    case 'duplicate':
      return readDuplicate(draft);
    case 'problem':
      return toResult({ case: 'problem', value: outcome.problem });
    case 'contended':
      throw new ContendedError();
    case 'unknown sender':
    case 'non-participant sender':
      throw new Error('the sender of a message could not be resolved');
  }
}

// An earlier attempt stored the message and reported its change number, which is not stored with it; 0 stands for that.
async function answerKnown(ctx: Context, draft: MessageDraft): Promise<SendMessagesResponse_Result> {
  const row = await findMessage(ctx.db, { appId: draft.appId, id: draft.id });
  if (!row) throw new Error('a message that was stored before is missing');
  const { app_id: appId, conversation_id: conversationId, position } = row;
  const [receipts] = await listReceipts(ctx.db, [{ appId, conversationId, first: position, last: position }]);
  const withoutReceipts = receipts?.off ?? false;
  return toResult({
    case: 'sent',
    value: { message: toMessage(row), seq: 0, membersSeq: 0, withoutReceipts },
  });
}

type DuplicateReader = (draft: MessageDraft) => Promise<SendMessagesResponse_Result>;

/**
 * Small drafts may name the ids of large messages. They are read one after the other, and shown until the answer, which
 * other callers wait for too, is full.
 */
function createDuplicateReader(ctx: Context): DuplicateReader {
  let remainingBytes = ANSWER_BYTES;
  let last: Promise<unknown> = Promise.resolve();
  async function show(draft: MessageDraft): Promise<SendMessagesResponse_Result> {
    if (remainingBytes <= 0) return toResult({ case: 'duplicate', value: { leftOut: true } });
    const result = await answerDuplicate(ctx, draft);
    remainingBytes -= toBinary(SendMessagesResponse_ResultSchema, result).length;
    return result;
  }
  return (draft) => {
    const result = last.then(() => show(draft));
    last = result.catch(() => undefined);
    return result;
  };
}

async function answerDuplicate(ctx: Context, draft: MessageDraft): Promise<SendMessagesResponse_Result> {
  const userId = draft.byServer ? '' : draft.senderId;
  const value = await showDuplicate(ctx, { appId: draft.appId, id: draft.id, userId });
  return toResult({ case: 'duplicate', value });
}

type Result = NonNullable<MessageInitShape<typeof SendMessagesResponse_ResultSchema>['outcome']>;

function toResult(outcome: Result): SendMessagesResponse_Result {
  return create(SendMessagesResponse_ResultSchema, { outcome });
}
