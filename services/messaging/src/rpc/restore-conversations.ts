import { isUuid } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';
import type { RestoreConversationsRequest } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import type { Context } from '../context.ts';
import { restoreConversation } from '../importing/restore-conversation.ts';

/** Each in a transaction of its own: a call that failed may be repeated. */
export async function restoreConversations(ctx: Context, request: RestoreConversationsRequest) {
  const { appId, conversations } = request;
  if (!isUuid(appId)) return fail('not_found');
  const people = new Set(
    conversations.flatMap(({ participants }) => participants.map(({ userId }) => userId)),
  );
  await ctx.identities.find(appId, [...people]);
  for (const conversation of conversations) {
    await ctx.db.tx((tx) => restoreConversation(tx, appId, conversation));
  }
  return {};
}
