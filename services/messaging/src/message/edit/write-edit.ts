import { fitsMessage } from '@parley/domain/parts';
import type { Tx } from '@parley/kit/postgres';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Message, Part } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Context } from '../../context.ts';
import { addChange, writeChanges } from '../../log/append.ts';
import { basicIdentity } from '../../identity/basic-identity.ts';
import { encodeBody } from '../body.ts';
import { updateConversations, type ConversationRow } from '../../sql/conversation/conversation.ts';
import { listIdentities } from '../../sql/identity/identity-copy.ts';
import { updateMessageBody } from '../../sql/message/message-parts.ts';
import { getEditAudience } from '../../sql/message/message-version.ts';
import { attachReactions } from '../../reaction/attach.ts';
import { readersOf } from '../shadow.ts';
import type { EditResult } from './apply-edit.ts';
import { keepReplacedBody } from './keep-body.ts';

export type AppliedEdit = {
  /** Locked. */
  conversation: ConversationRow;
  /** The message before the edit. */
  message: Message;
  edited: Extract<EditResult, { kind: 'changed' }>;
  /** The user who edits; empty: a server. */
  userId: string;
};

/** Above this size the event names changed parts only by id, since its message holds their bodies, too. Bytes. */
const MAX_REPEATED_BYTES = 300_000;

/** Stores the edited parts with the event. Returns the message after the edit. */
export async function writeEdit(
  ctx: Context,
  tx: Tx,
  { conversation, message: before, edited, userId }: AppliedEdit,
): Promise<Message> {
  const message = { ...before, parts: edited.parts, updatedAt: ctx.clock.now() };
  const place = { appId: message.appId, conversationId: conversation.id, position: message.position };
  const audience = await getEditAudience(tx, { place, senderId: senderOf(before) });
  await attachReactions(tx, { appId: message.appId, userId: '' }, { conversation, messages: [message] });
  const repeatsBodies = fitsMessage([...edited.added, ...edited.updated], MAX_REPEATED_BYTES);
  const inEvent = (parts: Part[]) => (repeatsBodies ? parts : parts.map(idOnly));
  const change = addChange(ctx, conversation, {
    actor: await actorOf(tx, before, userId),
    onlyUserIds: readersOf(before),
    body: {
      case: 'messagePartsChanged',
      value: {
        messageId: message.id,
        position: message.position,
        added: inEvent(edited.added),
        updated: inEvent(edited.updated),
        removedPartIds: edited.removedIds,
        unnamedPartIds: unnamedIds(before.parts, edited.updated),
        message,
        hiddenFrom: [...audience.unseen, ...audience.keeping, ...audience.blocking],
      },
    },
  });
  await writeChanges(ctx, tx, {
    changes: [change],
    statements: [
      await keepReplacedBody(tx, {
        place,
        audience,
        edit: {
          seq: change.event.seq,
          editedAt: message.updatedAt,
          editedBy: userId || null,
        },
      }),
      updateMessageBody(place, { body: encodeBody(message), updatedAt: message.updatedAt }),
      updateConversations([conversation]),
    ],
  });
  return message;
}

/** Parts that had a filename before the edit, and have none now. */
function unnamedIds(before: readonly Part[], updated: readonly Part[]): string[] {
  const named = new Set(before.flatMap(({ id, filename }) => (filename === undefined ? [] : [id])));
  return updated.flatMap(({ id, filename }) => (filename === undefined && named.has(id) ? [id] : []));
}

async function actorOf(
  tx: Tx,
  { appId, sender }: Message,
  userId: string,
): Promise<BasicIdentity | undefined> {
  if (!userId) return undefined;
  if (userId === sender?.userId) return sender;
  const [editor] = await listIdentities(tx, [{ appId, userId }]);
  return basicIdentity(editor ?? { user_id: userId });
}

function senderOf({ sender }: Message): string {
  return sender?.userId ?? '';
}

function idOnly({ $typeName, id }: Part): Part {
  return { $typeName, id, mimeType: '' };
}
