// A bot that answers every message that is sent to it: `node bot.mjs <url> <app id> <user id> <address of the login>`.
import { createClient } from '@parley/client';

const [, , url, appId, userId, login] = process.argv;
const client = createClient({
  url,
  appId,
  userId,
  identityToken: async (nonce) =>
    (await fetch(`${login}?user=${userId}&nonce=${encodeURIComponent(nonce)}`)).text(),
});
client.on('diagnostic', ({ name, data }) => console.error(name, JSON.stringify(data)));

/** Says something to each message of others that the bot has not read, and marks it as read. */
async function answer(conversation) {
  const last = conversation.lastMessage;
  if (!last || last.isOwn || !last.isUnread) return;
  // Kept before it is marked as read: if the bot ends between the two, it answers again rather than never.
  await conversation.send(`You said: ${last.text}`);
  await conversation.markRead(last);
}

process.once('SIGTERM', () => void client.destroy());
console.log('ready');
for await (const { items } of client.conversations({ where: ({ unreadCount }) => unreadCount > 0 })) {
  for (const conversation of items) await answer(conversation);
}
