import type { Tx } from '@parley/kit/postgres';
import type { RestoredMessage } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { loadProgress } from '../../read-state/load-progress.ts';
import type { Progress } from '../../read-state/progress.ts';
import { forgetParticipations } from '../../sql/conversation/erased-participation.ts';
import { insertFormerParticipants } from '../../sql/transfer/import.ts';
import { listParticipantIds } from '../../sql/transfer/import-participants.ts';
import { write } from '../../sql/statement.ts';

type ConversationState = { appId: string; conversationId: string; hasExclusions: boolean };

/**
 * The progress, by user id, of all participants and of all recipients of the messages. A sender who received no message
 * is no participant.
 */
export async function loadRecipients(
  tx: Tx,
  { hasExclusions, ...key }: ConversationState,
  restored: readonly RestoredMessage[],
): Promise<Map<string, Progress>> {
  const known = new Set(await listParticipantIds(tx, key));
  const recipientIds = restored.flatMap(({ message, recipients }) =>
    recipients
      .map(({ userId }) => userId)
      .filter((userId) => userId !== message?.sender?.userId && !known.has(userId)),
  );
  const former = [...new Set(recipientIds)];
  if (former.length > 0)
    await forgetParticipations(tx, { app_id: key.appId, id: key.conversationId }, former);
  await write(tx, [insertFormerParticipants(former.map((userId) => ({ ...key, userId })))]);
  const position = restored[0]?.message?.position ?? 1;
  const queries = [...known, ...former].map((userId) => ({ ...key, userId, position, hasExclusions }));
  const loaded = await loadProgress(tx, queries, 'all');
  return new Map(loaded.flatMap((one) => (one ? [[one.progress.row.user_id, one.progress]] : [])));
}
