import type { Client } from '@connectrpc/connect';
import { nameInMediaType } from '@parley/domain/filename';
import type { ContentService } from '@parley/proto/parley/content/v1/content_service_pb';
import type { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Part } from '@parley/proto/parley/messaging/v1/message_pb';

type Claimant = {
  appId: string;
  conversationId: string;
  id: string;
  senderId: string;
  /** Absent: the sender's present incarnation applies. */
  senderIncarnation?: number | undefined;
  parts: readonly Part[];
};

/** The present incarnation of a user; 0 without an identity. */
export async function findIncarnation(
  identity: Client<typeof IdentityService>,
  appId: string,
  userId: string,
): Promise<number> {
  const { identities } = await identity.findIdentities({ appId, userIds: [userId] });
  return identities[0]?.incarnation ?? 0;
}

/**
 * Claims the content of a message that is about to be stored or changed, and fills in the sizes of the uploads. Makes no call without
 * content. Problems: invalid_property (parts.<n>.content.id).
 */
export async function claimContents(
  { content, identity }: { content: Client<typeof ContentService>; identity: Client<typeof IdentityService> },
  { appId, conversationId, id, senderId, senderIncarnation, parts }: Claimant,
): Promise<void> {
  const referring = parts.flatMap((part, index) => {
    const { content: one, mimeType, filename } = part;
    return one
      ? [{ index, content: one, name: filename === undefined ? nameInMediaType(mimeType) : '' }]
      : [];
  });
  if (referring.length === 0) return;
  const { sizes } = await content.claimContents({
    appId,
    conversationId,
    messageId: id,
    senderId,
    senderIncarnation: senderIncarnation ?? (await findIncarnation(identity, appId, senderId)),
    items: referring.map(({ index, content, name = '' }) => ({
      part: index,
      contentId: content.id,
      name,
      ...(content.size >= 0 && { size: content.size }),
    })),
  });
  for (const [index, { content }] of referring.entries()) content.size = sizes[index] ?? content.size;
}
