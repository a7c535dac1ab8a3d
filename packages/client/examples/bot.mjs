// A bot that answers every message it receives: `node bot.mjs <url> <app id> <user id> <address of the login>`.
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

/** Answers each message of other users that the bot has not read, and marks it as read. */
async function answer(conversation) {
  const last = conversation.lastMessage;
  if (!last || last.isOwn || !last.isUnread) return;
  // The answer is stored before the message is marked as read: if the bot ends between the two, it answers twice rather than never.
  await conversation.send(`You said: ${last.text}`);
  await conversation.markRead(last);
}

process.once('SIGTERM', () => void client.destroy());
console.log('ready');
for await (const { items } of client.conversations({ where: ({ unreadCount }) => unreadCount > 0 })) {
  for (const conversation of items) await answer(conversation);
}
