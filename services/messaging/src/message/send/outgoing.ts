import { isUserId, isUuid } from '@parley/domain/ids';
import { notFound, problem } from '@parley/domain/problems';
import type { MessageDraft } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import { encodeBody } from '../body.ts';
import type { Problem } from '@parley/proto/parley/problem/v1/problem_pb';

/** A message to be sent, with the bytes that are stored. */
export type OutgoingMessage = { draft: MessageDraft; body: Uint8Array };

/** The result of sending one message. `repeated`: an earlier attempt of the same call stored it. */
export type SendOutcome =
  | {
      kind: 'sent';
      message: Message;
      seq: number;
      membersSeq: number;
      /** The conversation's type has no receipts. */
      withoutReceipts: boolean;
      /** The encoded batch that is published live, of a small message that was stored alone. */
      event?: Uint8Array | undefined;
    }
  | { kind: 'repeated' }
  | { kind: 'duplicate' }
  | { kind: 'unknown sender' }
  /** A bot that does not take part must be noted as a non-participant sender before it sends. */
  | { kind: 'non-participant sender' }
  /** Another transaction holds the conversation: the message was not stored. */
  | { kind: 'contended' }
  | { kind: 'problem'; problem: Problem };

export function createOutgoingMessage(draft: MessageDraft): OutgoingMessage {
  return { draft, body: encodeBody(draft) };
}

/** Finds a draft that the database would refuse together with the whole batch. */
export function findDraftProblem({ draft }: OutgoingMessage): Problem | undefined {
  if (!isUuid(draft.appId)) return notFound('app', draft.appId);
  if (!isUuid(draft.conversationId)) return notFound('conversation', draft.conversationId);
  if (!isUuid(draft.id)) return problem('invalid_request_id');
  if (!isUserId(draft.senderId)) return problem('invalid_property', { property: 'sender_id' });
  return undefined;
}
