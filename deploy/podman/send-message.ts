// Sends a message through a running platform and reads it back, over a socket and by REST.
//   node deploy/podman/send-message.ts http://127.0.0.1:18080 <administration token>
import { createApp, textPart, uuidOf } from '../../test/support/app.ts';

const [baseUrl = '', adminToken = ''] = process.argv.slice(2);
const app = await createApp({ baseUrl, adminToken });
const [ada, bob] = await Promise.all([app.login('ada'), app.login('bob')]);
const socket = await bob.connect();
const conversation = (await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } }))
  .body;
const messages = `/conversations/${uuidOf(conversation.id as string)}/messages`;
const sent = (await ada.call('POST', messages, 201, { body: { parts: [textPart('hello')] } })).body;
await socket.waitFor('the message', ({ body }) => body?.object?.id === sent.id);
const [read] = (await bob.call('GET', messages, 200)).body as { id: string }[];
if (read?.id !== sent.id) throw new Error(`read ${read?.id} where ${sent.id} was sent`);
await socket.close();
process.stdout.write(`sent, received and read ${sent.id}\n`);
