import type { JsonObject } from '@bufbuild/protobuf';
import { limits } from '@parley/contract/limits';
import { applyStep, closeCopy, openCopy } from '@parley/domain/metadata/patch';
import type { Tx } from '@parley/kit/postgres';
import type { PatchOperation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Context } from '../../context.ts';
import { netSteps } from '../../conversation/net-steps.ts';
import { addChange, writeChanges } from '../../log/append.ts';
import { attachReactions } from '../../reaction/attach.ts';
import { updateConversations, type ConversationRow } from '../../sql/conversation/conversation.ts';
import { updateMessageBody } from '../../sql/message/message-parts.ts';
import { getEditAudience } from '../../sql/message/message-version.ts';
import { encodeBody } from '../body.ts';
import { readersOf } from '../shadow.ts';
import { keepReplacedBody } from './keep-body.ts';

export type MetadataPatch = {
  metadata: JsonObject;
  /** The net change; without steps there is none. */
  operations: readonly PatchOperation[];
};

/** Applies steps to the metadata of a message, a JSON text. Problems: invalid_property (metadata). */
export function planMetadata(metadata: string, operations: readonly PatchOperation[]): MetadataPatch {
  const before = metadata === '' ? {} : (JSON.parse(metadata) as JsonObject);
  const copy = openCopy(before, limits.messageMetadataBytes);
  const effective = operations.filter((operation) => applyStep(copy, operation));
  const after = closeCopy(copy);
  return { metadata: after, operations: netSteps({ before, after, effective }) };
}

export type AppliedMetadata = {
  /** Locked. */
  conversation: ConversationRow;
  /** The message before the change. */
  message: Message;
  patch: MetadataPatch;
  /** The sender changes it, not a server. */
  byUser: boolean;
};

/**
 * Stores changed metadata with the event. Readers from whom edits of the message are withheld go on seeing it as it was.
 * docs/decisions/relations.md#what-a-block-withholds
 */
export async function writeMetadata(
  ctx: Context,
  tx: Tx,
  { conversation, message: before, patch, byUser }: AppliedMetadata,
): Promise<void> {
  const isEmpty = Object.keys(patch.metadata).length === 0;
  const message = { ...before, metadata: isEmpty ? '' : JSON.stringify(patch.metadata) };
  const place = { appId: message.appId, conversationId: conversation.id, position: message.position };
  const senderId = message.sender?.userId ?? '';
  const audience = await getEditAudience(tx, { place, senderId });
  await attachReactions(tx, { appId: message.appId, userId: '' }, { conversation, messages: [message] });
  const change = addChange(ctx, conversation, {
    actor: byUser ? message.sender : undefined,
    onlyUserIds: readersOf(before),
    body: {
      case: 'messageUpdated',
      value: {
        messageId: message.id,
        position: message.position,
        operations: [...patch.operations],
        message,
        hiddenFrom: [...audience.unseen, ...audience.keeping, ...audience.blocking],
      },
    },
  });
  const { seq, createdAt } = change.event;
  const editedBy = byUser ? senderId : null;
  await writeChanges(ctx, tx, {
    changes: [change],
    statements: [
      await keepReplacedBody(tx, { place, audience, edit: { seq, editedAt: createdAt, editedBy } }),
      updateMessageBody(place, { body: encodeBody(message), updatedAt: message.updatedAt ?? null }),
      updateConversations([conversation]),
    ],
  });
}
