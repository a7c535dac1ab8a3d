import { createApp, identityUri, textPart, uuidOf, type TestApp } from '../../support/app.ts';
import {
  completed,
  download,
  makeKeyPair,
  open,
  openByCommands,
  publicKeyOf,
  statusPath,
} from '../../support/archive.ts';
import type { Json } from '../../support/json.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';

// docs/protocol/exports.md

const pair = makeKeyPair();
async function newApp(): Promise<TestApp> {
  return createApp(await platform());
}

async function withKey(body: object = {}): Promise<TestApp> {
  const app = await newApp();
  await app.server('PUT', '/export_security', 200, { body: { public_key: pair.publicKey, ...body } });
  return app;
}

function problemOf({ body }: { body: Json }) {
  return [body.id, body.data?.property];
}

describe('the public key', () => {
  test('is registered, shown and replaced', async () => {
    const app = await newApp();
    expect(problemOf(await app.server('GET', '/export_security', 404))).toEqual(['not_found', undefined]);
    const other = makeKeyPair('pkcs1');
    for (const { publicKey } of [pair, other]) {
      const answer = await app.server('PUT', '/export_security', 200, { body: { public_key: publicKey } });
      expect(answer.text).toBe('');
      const { body } = await app.server('GET', '/export_security', 200);
      expect(body).toEqual({ public_key: publicKey });
    }
  });

  test.each([
    ['no PEM', 'hello'],
    ['too short', makeKeyPair('spki', 1024).publicKey],
    ['too long', publicKeyOf(16_392)],
    ['a private key', pair.privateKey],
    ['a number', 5],
    [
      'not RSA',
      '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n',
    ],
  ])('is refused when it is %s', async (_, public_key) => {
    const answer = await (await newApp()).server('PUT', '/export_security', 422, { body: { public_key } });
    expect(problemOf(answer)).toEqual(['invalid_property', 'public_key']);
  });

  test('is required, and its padding must be known', async () => {
    const app = await newApp();
    expect(problemOf(await app.server('PUT', '/export_security', 422, { body: {} }))).toEqual([
      'missing_property',
      'public_key',
    ]);
    const body = { public_key: pair.publicKey, padding: 'none' };
    expect(problemOf(await app.server('PUT', '/export_security', 422, { body }))).toEqual([
      'invalid_property',
      'padding',
    ]);
  });
});

describe('a historical export', () => {
  test('needs a key', async () => {
    expect(problemOf(await (await newApp()).server('POST', '/exports', 422))).toEqual([
      'invalid_operation',
      undefined,
    ]);
  });

  test('of an empty app is an archive of nothing, with every field of its record', async () => {
    const app = await withKey();
    const { body: requested, headers } = await app.server('POST', '/exports', 202);
    const uuid = uuidOf(requested.id);
    const statusUrl = `${app.baseUrl}/apps/${app.appUuid}/exports/${uuid}/status`;
    expect(requested).toEqual({
      id: `svc:///exports/${uuid}`,
      type: 'historical',
      status: 'executing',
      status_reason: null,
      public_key: null,
      key_padding: null,
      created_at: expect.any(String),
      started_at: null,
      completed_at: null,
      expired_at: null,
      download_url: null,
      download_url_expires_at: null,
      download_url_expiration: null,
      encrypted_aes_key: null,
      aes_iv: null,
      archive_sha256: null,
      archive_size: null,
      status_url: statusUrl,
    });
    expect(headers['location']).toBe(statusUrl);

    const shown = await completed(app, requested.id);
    expect(Object.keys(shown)).toEqual(Object.keys(requested));
    expect(shown).toMatchObject({
      id: uuid,
      status: 'completed',
      public_key: pair.publicKey,
      key_padding: 'pkcs1',
      created_at: requested.created_at,
      status_url: statusUrl,
    });
    const lasts = Date.parse(shown.expired_at) - Date.parse(shown.completed_at);
    expect(lasts).toBe(30 * 86_400_000);
    expect(shown.download_url_expiration).toBe(shown.download_url_expires_at);
    expect(Date.parse(shown.download_url_expires_at)).toBeGreaterThan(Date.now());
    expect(await open(shown, pair.privateKey)).toEqual({ conversations: [], messages: [] });
    expect(await openByCommands(shown, pair.privateKey)).toEqual({ conversations: [], messages: [] });
  });

  test('holds the records as the server API shows them, and opens with Node as with openssl and tar', async () => {
    const app = await withKey({ padding: 'oaep-sha256' });
    const [alice, bob] = [await app.login('alice'), await app.login('bob')];
    const create = async (body: object) =>
      uuidOf((await alice.call('POST', '/conversations', 201, { body })).body.id);
    const first = await create({ participants: ['bob'], metadata: { topic: 'exports "ü" \u2028' } });
    const empty = await create({ participants: [] });
    const gone = await create({ participants: ['bob'], metadata: { gone: 'yes' } });
    const say = async (conversation: string, parts: object[]) =>
      uuidOf(
        (await alice.call('POST', `/conversations/${conversation}/messages`, 201, { body: { parts } })).body
          .id,
      );
    const blob = Buffer.from('stored elsewhere');
    const upload = { 'upload-content-type': 'video/mp4', 'upload-content-length': String(blob.length) };
    const { body: content } = await alice.call('POST', '/content', 201, { headers: upload });
    expect((await fetch(content.upload_url, { method: 'PUT', body: blob })).status).toBe(200);
    const parts = [
      { mime_type: 'video/mp4', content: { id: content.id, size: blob.length } },
      textPart('plain ü 😀 \\ " \n'),
      {
        mime_type: 'image/png; name="x y"',
        body: Buffer.from([0, 255, 1]).toString('base64'),
        encoding: 'base64',
      },
      { mime_type: 'application/json', body: '{"a":[1,null]}' },
    ];
    const message = await say(first, parts);
    const deleted = await say(first, [textPart('never mind')]);
    await say(gone, [textPart('lost with its conversation')]);
    await bob.call('POST', `/messages/${message}/receipts`, 204, { body: { type: 'read' } });
    await alice.call('DELETE', `/messages/${deleted}?mode=all_participants`, 204);
    await alice.call('DELETE', `/conversations/${gone}?mode=all_participants`, 204);
    const list = async () => [
      (await app.server('GET', `/conversations/${first}`, 200)).body,
      (await app.server('GET', `/conversations/${empty}`, 200)).body,
    ];
    const server = (await app.server('GET', `/conversations/${first}/messages/${message}`, 200)).body;
    expect(server.recipient_status).toEqual({ [identityUri('alice')]: 'read', [identityUri('bob')]: 'read' });

    const { body: requested } = await app.server('POST', '/exports', 202);
    await say(first, [textPart('after it began')]);
    await create({ participants: ['bob'], metadata: { after: 'it began' } });
    const shown = await completed(app, requested.id);
    expect(shown.key_padding).toBe('oaep-sha256');
    const opened = await open(shown, pair.privateKey);
    expect(Object.keys(opened)).toEqual(['conversations', 'messages']);
    expect(opened).toEqual({ conversations: await list(), messages: [withoutAddresses(server)] });
    expect(opened.messages[0].parts[0].content).toMatchObject({ id: content.id, size: blob.length });
    expect(await openByCommands(shown, pair.privateKey)).toEqual(opened);
  });

  test('can be requested once in 24 hours, even by simultaneous requests, whether or not it succeeded', async () => {
    const app = await withKey();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        app.server('POST', '/exports', 202).then(
          ({ body }) => body.id as string,
          (error: Error) => (/got 422: .*invalid_operation/.test(error.message) ? 'refused' : error.message),
        ),
      ),
    );
    const accepted = answers.filter((answer) => answer.startsWith('svc:'));
    expect([accepted.length, answers.filter((answer) => answer === 'refused').length]).toEqual([1, 7]);
    await completed(app, accepted[0]!);
    await app.server('DELETE', `/exports/${encodeURIComponent(accepted[0]!)}`, 204);
    expect(problemOf(await app.server('POST', '/exports', 422))).toEqual(['invalid_operation', undefined]);
  });

  test('is listed, newest first, until it is deleted with its archive', async () => {
    const app = await withKey();
    expect((await app.server('GET', '/exports', 200)).body).toEqual([]);
    const { body: requested } = await app.server('POST', '/exports', 202);
    const shown = await completed(app, requested.id);
    const { body: list } = await app.server('GET', '/exports', 200);
    expect(list).toEqual([
      {
        ...shown,
        download_url: expect.any(String),
        download_url_expires_at: expect.any(String),
        download_url_expiration: expect.any(String),
      },
    ]);
    // Each read gives a new address.
    const again = await until('another address', async () => {
      const { body } = await app.server('GET', statusPath(requested.id), 200);
      return body.download_url === shown.download_url ? undefined : body;
    });
    expect(await download(again.download_url)).toEqual(await download(shown.download_url));

    const other = await newApp();
    await other.server('GET', statusPath(requested.id), 404);
    await other.server('DELETE', `/exports/${uuidOf(requested.id)}`, 404);
    await app.server('DELETE', `/exports/${uuidOf(requested.id)}`, 204);
    expect(problemOf(await app.server('GET', statusPath(requested.id), 404))).toEqual([
      'not_found',
      undefined,
    ]);
    await app.server('DELETE', `/exports/${uuidOf(requested.id)}`, 404);
    expect((await app.server('GET', '/exports', 200)).body).toEqual([]);
    await until('the archive is gone', async () => (await fetch(again.download_url)).status === 404);
  });

  test('keeps the key it was encrypted with when another one is registered', async () => {
    const app = await withKey();
    const { body: requested } = await app.server('POST', '/exports', 202);
    await completed(app, requested.id);
    const other = makeKeyPair();
    await app.server('PUT', '/export_security', 200, { body: { public_key: other.publicKey } });
    const { body: shown } = await app.server('GET', statusPath(requested.id), 200);
    expect(shown.public_key).toBe(pair.publicKey);
    expect(await open(shown, pair.privateKey)).toEqual({ conversations: [], messages: [] });
  });
});

/** A message as in an archive, which contains no signed addresses of contents. */
function withoutAddresses(message: Json) {
  return {
    ...message,
    parts: message.parts.map((part: Json) => ({
      ...part,
      content: part.content && { ...part.content, download_url: null, expiration: null },
    })),
  };
}

describe('the schedule', () => {
  test('is disabled until it is configured, and says when the next export comes', async () => {
    const app = await withKey();
    const nothing = {
      interval: 'disabled',
      last_export_at: null,
      last_export_id: null,
      next_export_at: null,
    };
    expect((await app.server('GET', '/export_schedule', 200)).body).toEqual(nothing);
    const answer = await app.server('PUT', '/export_schedule', 200, {
      body: { interval: 'daily', events: ['message.sent'], hour_utc: 7 },
    });
    expect(answer.text).toBe('');
    const { body } = await app.server('GET', '/export_schedule', 200);
    expect(body).toEqual({
      ...nothing,
      interval: 'daily',
      next_export_at: expect.stringMatching(/T07:00:00\.000Z$/),
    });
    const wait = Date.parse(body.next_export_at) - Date.now();
    expect(wait > 0 && wait <= 86_400_000).toBe(true);
    await app.server('PUT', '/export_schedule', 200, { body: { interval: 'disabled' } });
    expect((await app.server('GET', '/export_schedule', 200)).body).toEqual(nothing);
  });

  test('needs a key', async () => {
    const answer = await (
      await newApp()
    ).server('PUT', '/export_schedule', 422, { body: { interval: 'daily' } });
    expect(problemOf(answer)).toEqual(['invalid_operation', undefined]);
  });

  test.each([
    ['missing_property', 'interval', {}],
    ['invalid_property', 'interval', { interval: 'weekly' }],
    ['invalid_property', 'events', { interval: 'daily', events: ['message.sent', 'Message.sent'] }],
    ['invalid_property', 'events', { interval: 'daily', events: 'message.sent' }],
    ['invalid_property', 'hour_utc', { interval: 'daily', hour_utc: 24 }],
    ['invalid_property', 'hour_utc', { interval: 'daily', hour_utc: 1.5 }],
  ])('is refused with %s of %s', async (id, property, body) => {
    expect(problemOf(await (await withKey()).server('PUT', '/export_schedule', 422, { body }))).toEqual([
      id,
      property,
    ]);
  });
});
