import { randomUUID } from 'node:crypto';
import { createCredentialsStore, contextOf } from '../src/credentials/store.ts';
import { createKeySealer } from '../src/context.ts';
import { obtainVapidKey } from '../src/provider/web/vapid-key.ts';
import { upsertCredentials } from '../src/sql/credentials.ts';
import { resealKeys } from '../src/timers/reseal-keys.ts';
import { startPushes, type Platform } from './support/platform.ts';

const NEXT_KEY = 'the next key of these tests';
const FCM = { projectId: 'chat', clientEmail: 'a@chat.example', privateKey: 'pem' };

const sealerOf = (encryptionKey: string, ...acceptedEncryptionKeys: string[]) =>
  createKeySealer({ encryptionKey, acceptedEncryptionKeys });

let platform: Platform;

beforeAll(async () => {
  platform = await startPushes({ PARLEY_PUSH_ACCEPTED_ENCRYPTION_KEYS: NEXT_KEY });
});
afterAll(() => platform.stop());

test('keys of applications are sealed with the next key, and stay the same', async () => {
  const { ctx } = platform;
  const appId = randomUUID();
  const before = await obtainVapidKey(ctx, appId);
  const sealed = ctx.sealer.seal(JSON.stringify(FCM), contextOf(appId, 'fcm'));
  await upsertCredentials(ctx.db, { appId, provider: 'fcm' }, { shown: {}, now: 1, sealed });
  const unknown = sealerOf('a key that is configured nowhere').seal('text', randomUUID());
  await upsertCredentials(ctx.db, { appId, provider: 'apns' }, { shown: {}, now: 1, sealed: unknown });

  const next = sealerOf(NEXT_KEY, ctx.config.encryptionKey);
  await resealKeys({ ...ctx, sealer: next }, new AbortController().signal);

  const alone = { ...ctx, sealer: sealerOf(NEXT_KEY) };
  expect(await obtainVapidKey(alone, appId)).toEqual(before);
  expect(await obtainVapidKey(ctx, appId)).toEqual(before);
  await ctx.db.execute({
    text: `delete from credentials where provider = 'apns' and app_id = $1`,
    values: [appId],
  });
  expect(await createCredentialsStore(alone).of(appId)).toEqual({ fcm: FCM });
});
