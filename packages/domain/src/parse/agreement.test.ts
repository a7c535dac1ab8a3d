import {
  ConversationInput,
  ConversationPatch,
  MarkAllDeliveredInput,
  MarkAllReadInput,
} from '@parley/contract/records/conversation-input';
import {
  MessageBatch,
  MessageInput,
  MessagePatch,
  ServerMessageInput,
} from '@parley/contract/records/message-input';
import { PartInput, PartsInput } from '@parley/contract/records/part';
import { ReactionInput } from '@parley/contract/records/reaction';
import { ReceiptInput } from '@parley/contract/records/receipt';
import { SessionInput } from '@parley/contract/records/session';
import { limits } from '@parley/contract/limits';
import { describeAgreement, eitherBodyOrContent, wholeOf } from '../testing/agreement.ts';
import { wire } from '../testing/samples.ts';
import { parseConversation } from './conversation.ts';
import { isFields } from './fields.ts';
import { parseLogin } from './login.ts';
import { parseMessageBatch } from './message-batch.ts';
import { parseMessage, parseServerMessage } from './message.ts';
import { parsePartBody } from './part.ts';
import { parsePartsBody } from './parts.ts';
import { parseMessagePatch, parsePatch } from './patch.ts';
import { parseReaction } from './reaction.ts';
import { parsePosition, parseReceiptType } from './receipt.ts';

const RULES = { wire, inlineBodyBytes: limits.maxInlineBodyBytes };

describeAgreement('a login', {
  schema: SessionInput,
  parse: (body) => parseLogin(wire, body),
  errors: { app_id: 'invalid_app_id' },
});

describeAgreement('a conversation to create', {
  schema: ConversationInput,
  parse: (body) => parseConversation(wire, body),
  properties: wholeOf('participants', 'metadata'),
});

describeAgreement('a patch of a conversation', {
  schema: ConversationPatch,
  parse: (body) => parsePatch(wire, body),
  // What a step sets is named by its record's property.
  properties: (path) => [
    path === '' ? String(limits.patchOperations) : path,
    ...(/^\d+\.(id|value)/.test(path) ? ['participants', 'metadata'] : []),
  ],
});

describeAgreement('a patch of a message', {
  schema: MessagePatch,
  parse: parseMessagePatch,
  properties: (path) => [
    path === '' ? String(limits.patchOperations) : path,
    ...(/^\d+\.value/.test(path) ? ['metadata'] : []),
  ],
});

describeAgreement('the body of a reaction', { schema: ReactionInput, parse: parseReaction });

describeAgreement('how far a user has read', { schema: MarkAllReadInput, parse: parsePosition });

describeAgreement('how far a user has received', { schema: MarkAllDeliveredInput, parse: parsePosition });

describeAgreement('a receipt', { schema: ReceiptInput, parse: parseReceiptType });

describeAgreement('a message of a user', {
  schema: MessageInput,
  parse: (body) => parseMessage(RULES, body),
  properties: (path) => wholeOf('metadata')(path).flatMap(eitherBodyOrContent),
});

describeAgreement('a message of a server', {
  schema: ServerMessageInput,
  parse: (body) => parseServerMessage(RULES, body),
  adjust: withPossibleTyping,
  properties: (path) => wholeOf('significance.recipients', 'metadata')(path).flatMap(eitherBodyOrContent),
});

describeAgreement('a batch of messages', {
  schema: MessageBatch,
  parse: (body) => parseMessageBatch(RULES, body),
  // The parser names a message: the first one beyond the limit, or the first one of an empty batch.
  properties: (path) => (path === '' ? ['0', String(limits.batchMessages)] : ofBatch(path)),
});

describeAgreement('a part', {
  schema: PartInput,
  parse: (body) => parsePartBody(RULES, body),
  properties: eitherBodyOrContent,
});

describeAgreement('all parts of a message', {
  schema: PartsInput,
  parse: (body) => parsePartsBody(RULES, body),
  properties: (path) => (path === '' ? ['parts'] : eitherBodyOrContent(path)),
});

function ofBatch(path: string): string[] {
  const [index = '', ...rest] = path.split('.');
  const within = wholeOf('significance.recipients', 'metadata')(rest.join('.')).flatMap(eitherBodyOrContent);
  return within.map((property) => (property === '' ? index : `${index}.${property}`));
}

/** A sender cannot appear typing before the message is accepted. */
function withPossibleTyping(body: unknown): unknown {
  if (!isFields(body) || !isFields(body['schedule'])) return body;
  const { delay_in_seconds: delay, typing_indicator_in_seconds: typing } = body['schedule'];
  if (typeof typing !== 'number' || typing <= Number(delay)) return body;
  return { ...body, schedule: { delay_in_seconds: typing, typing_indicator_in_seconds: delay } };
}
