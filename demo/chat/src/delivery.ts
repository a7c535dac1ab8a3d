import type { Client } from '@parley/client';

/** Says of the newest message of each conversation that it has reached this device; reading says so of the others. */
export function confirmDelivery(client: Client): void {
  const conversations = client.conversations();
  function confirm(): void {
    for (const { lastMessage } of conversations.getSnapshot().items)
      if (lastMessage && !lastMessage.isOwn) void lastMessage.markDelivered().catch(() => undefined);
  }
  conversations.subscribe(confirm);
  confirm();
}
