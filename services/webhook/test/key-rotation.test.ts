import { randomUUID } from 'node:crypto';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import { createSealer } from '@parley/kit/runtime/seal';
import { DeliveryStatus } from '@parley/proto/parley/webhook/v1/webhook_pb';
import { startReceiver } from '@parley/testing/doubles/receiver';
import { resealSecrets } from '../src/timers/reseal-secrets.ts';
import { openSecrets } from '../src/webhook/secrets.ts';
import { messageCreated } from './support/events.ts';
import { startWebhooks } from './support/platform.ts';
import { registerActive, SECRET, untilDelivery } from './support/webhooks.ts';

const NEXT_KEY = 'the next key of these tests';
const PURPOSE = 'parley webhook secrets';
/** A number larger than the job reads at once. */
const UNREADABLE = 120;

test('secrets are sealed with the next key, and webhooks are delivered all the while', async () => {
  const platform = await startWebhooks({ env: { PARLEY_WEBHOOK_ACCEPTED_ENCRYPTION_KEYS: NEXT_KEY } });
  const receiver = await startReceiver();
  const { ctx } = platform;
  const appId = randomUUID();
  const webhook = await registerActive(platform, appId, { target_url: receiver.url });
  // Secrets that no known key opens come first, and keep nothing from the others.
  await ctx.db.execute({
    text: `
      insert into webhook (app_id, id, version, target_url, events, secrets, status, created_at, accepts_from)
      select $1, gen_random_uuid(), version, target_url, events, secrets, 3, created_at, accepts_from
      from webhook, generate_series(1, $2::int)`,
    values: [NIL_UUID, UNREADABLE],
  });
  const sealer = createSealer([NEXT_KEY, ctx.config.encryptionKey], PURPOSE);
  await resealSecrets({ ...ctx, sealer }, new AbortController().signal);
  const [row] = await ctx.db.query<{ secrets: Buffer }>({
    text: 'select secrets from webhook where id = $1',
    values: [webhook.id],
  });
  expect(openSecrets(createSealer([NEXT_KEY], PURPOSE), webhook.id, row!.secrets).current).toBe(SECRET);
  await platform.publish(messageCreated(appId));
  await untilDelivery(platform, webhook, { status: DeliveryStatus.DELIVERED });
  await receiver.stop();
  await platform.stop();
});
