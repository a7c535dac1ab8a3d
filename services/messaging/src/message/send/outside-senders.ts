import type { Sql } from '@parley/kit/postgres';
import type { MessageDraft } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { insertOutsideSenders } from '../../sql/message/outside-sender.ts';

/**
 * Notes bots that are about to send to conversations without taking part. This commits before the message is written,
 * so that an erasure that begins in between finds the note and waits for the conversation's lock.
 */
export async function noteOutsideSenders(sql: Sql, drafts: readonly MessageDraft[]): Promise<void> {
  const refs = drafts
    .filter(({ byServer }) => byServer)
    .map(({ appId, conversationId, senderId }) => ({
      appId,
      conversationId,
      userId: senderId,
    }));
  await insertOutsideSenders(sql, refs);
}
