import { limits } from '@parley/contract/limits';
import { REACTION_KEY } from '@parley/contract/patterns';
import type { Notification } from '@parley/proto/parley/messaging/v1/message_pb';
import { fail } from '../problems.ts';
import { parseUri } from '../ids.ts';
import type { Wire } from '../wire.ts';
import { invalid, missing, optional, optionalFlag, parseObject } from './fields.ts';
import { parseNotification } from './notification.ts';

// eslint-disable-next-line parley/linear-regexp -- its test is that of the schemas, scripts/lint/expressions.alone.test.ts
const KEY = new RegExp(REACTION_KEY, 'u');

/** The key of a reaction. Fails with invalid_property (key). docs/protocol/messages.md#reactions */
export function parseReactionKey(given: unknown): string {
  if (typeof given !== 'string') return invalid('key', 'must be a string.');
  const isKey =
    given.isWellFormed() &&
    KEY.test(given) &&
    given === given.normalize('NFC') &&
    Buffer.byteLength(given) <= limits.reactionKeyBytes;
  if (isKey) return given;
  return invalid(
    'key',
    `must be an emoji or a short name: 1 to ${limits.reactionKeyBytes} bytes of UTF-8 in NFC, without control characters, / and \\.`,
  );
}

/** The notification of the body of PUT …/reactions/:key, which may be left out. Fails with invalid_request, invalid_property. */
export function parseReaction(body: unknown): Notification | undefined {
  return body === undefined ? undefined : parseNotification(parseObject(body)['notification']);
}

/** The data of `Reaction.create` and `Reaction.delete`. */
export type ReactionRequest = { key: string; replace: boolean; notification: Notification | undefined };

/** Fails with invalid_request, missing_property, invalid_property. */
export function parseReactionRequest(data: unknown): ReactionRequest {
  const fields = parseObject(data);
  return {
    key: parseReactionKey(optional(fields, 'key') ?? missing('key')),
    replace: optionalFlag(fields, 'replace') ?? false,
    notification: parseNotification(fields['notification']),
  };
}

/** The query `replace` of PUT …/reactions/:key. Fails with invalid_property. */
export function parseReplace(query: URLSearchParams): boolean {
  const given = query.get('replace') ?? 'false';
  if (given !== 'true' && given !== 'false') return invalid('replace', 'must be true or false.');
  return given === 'true';
}

/** The bare uuid of a reaction that a page of a message's reactions continues behind. Fails with invalid_property (from_id). */
export function parseReactionRef(wire: Wire, messageId: string, given: string): string {
  const root = `${wire.uri('messages', messageId)}/reactions/`;
  const bare = given.startsWith(root) ? given.slice(root.length) : given;
  return parseUri(wire, 'messages', bare) ?? fail('invalid_property', { property: 'from_id' });
}
