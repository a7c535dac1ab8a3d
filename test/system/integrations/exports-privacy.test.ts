import { createApp, textPart, uuidOf } from '../../support/app.ts';
import { completed, largestKeyPair, makeKeyPair, open, openByCommands } from '../../support/archive.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';

// The readers of an archive, and the data that it must not contain: docs/protocol/exports.md#the-archive

const pair = makeKeyPair();

test('an archive can be encrypted with a key of 16384 bits, the largest that is accepted', async () => {
  const largest = await largestKeyPair();
  const app = await createApp(await platform());
  await app.server('PUT', '/export_security', 200, { body: { public_key: largest.publicKey } });
  const { body: requested } = await app.server('POST', '/exports', 202);
  const shown = await completed(app, requested.id);
  expect(shown.public_key).toBe(largest.publicKey);
  expect(Buffer.from(shown.encrypted_aes_key, 'base64')).toHaveLength(16_384 / 8);
  expect(await open(shown, largest.privateKey)).toEqual({ conversations: [], messages: [] });
  expect(await openByCommands(shown, largest.privateKey)).toEqual({ conversations: [], messages: [] });
});

test('a historical export has only the id of an erased user, and all messages of other users', async () => {
  const app = await createApp(await platform());
  await app.server('PUT', '/export_security', 200, { body: { public_key: pair.publicKey } });
  const bob = await app.login('bob');
  const ann = await app.login('ann', {
    display_name: 'Ann Onymous',
    avatar_url: 'https://avatars.example/ann.png',
    email_address: 'ann@example.com',
  });
  const { body: conversation } = await bob.call('POST', '/conversations', 201, {
    body: { participants: ['ann'] },
  });
  const say = async (user: typeof ann, parts: object[]) =>
    (await user.call('POST', conversation.messages_url, 201, { body: { parts } })).body;
  const data = Buffer.from('a portrait of ann');
  const upload = { 'upload-content-type': 'image/png', 'upload-content-length': String(data.length) };
  const { body: content } = await ann.call('POST', '/content', 201, { headers: upload });
  expect((await fetch(content.upload_url, { method: 'PUT', body: data })).status).toBe(200);
  await say(ann, [textPart('my secret'), { mime_type: 'image/png', content: { id: content.id } }]);
  const kept = await say(bob, [textPart('what bob said')]);
  await ann.call('POST', kept.receipts_url, 204, { body: { type: 'read' } });
  await app.server('DELETE', '/users/ann', 202);
  const path = `/conversations/${uuidOf(conversation.id)}`;
  await until('her messages and receipts are gone', async () => {
    const { body } = await app.server('GET', `${path}/messages`, 200);
    return (body.length === 1 && body[0].recipient_status[ann.uri] !== 'read') || undefined;
  });

  const { body: requested } = await app.server('POST', '/exports', 202);
  const opened = await open(await completed(app, requested.id), pair.privateKey);
  expect(opened).toEqual({
    conversations: [(await app.server('GET', path, 200)).body],
    messages: [(await app.server('GET', `${path}/messages/${uuidOf(kept.id)}`, 200)).body],
  });
  const text = JSON.stringify(opened);
  expect(text).toContain('what bob said');
  for (const trace of ['Onymous', 'avatars.example', 'ann@example', 'my secret', uuidOf(content.id)]) {
    expect(text).not.toContain(trace);
  }
});
