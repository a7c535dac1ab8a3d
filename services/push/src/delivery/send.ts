import type { PushToken } from '@parley/proto/parley/identity/v1/push_token_pb';
import type { PushContent } from '@parley/proto/parley/push/v1/push_pb';
import { payloadOf } from '../content/of-delivery.ts';
import type { Context } from '../context.ts';
import { createCredentialsStore } from '../credentials/store.ts';
import { createAccessTokens, type AccessTokens } from '../provider/fcm/access-token.ts';
import { sendFcm } from '../provider/fcm/send.ts';
import type { Outcome } from '../provider/outcome.ts';
import { providerOf } from '../provider/route.ts';
import { sendWebPush } from '../provider/web/send.ts';
import { createVapidTokens } from '../provider/web/vapid-token.ts';

export type OutgoingPush = {
  appId: string;
  token: PushToken;
  content: PushContent;
  badge: number;
  /** Under which the device shows it once: a uuid. */
  identity: string;
  /** Seconds for which the push service keeps it. */
  ttl: number;
};

/** Sends a push by the push service of its device. */
export type Sender = {
  /** Rejects only for failures of this platform's own. */
  send(push: OutgoingPush): Promise<Outcome>;
  accessTokens: AccessTokens;
};

export function createSender(ctx: Context): Sender {
  const { targets, config } = ctx;
  const vapidTokens = createVapidTokens(ctx);
  const credentials = createCredentialsStore(ctx);
  const accessTokens = createAccessTokens({ targets, tokenUrl: config.googleTokenUrl });
  return {
    accessTokens,
    async send({ appId, token, content, badge, identity, ttl }) {
      const payload = payloadOf(ctx.wire, content, badge);
      const provider = providerOf(token.type);
      if (provider === 'web')
        return sendWebPush(ctx, vapidTokens, { appId, token, payload, topic: identity, ttl });
      const { fcm } = await credentials.of(appId);
      if (provider !== 'fcm' || !fcm)
        return { kind: 'refused', reason: 'the application has no credentials' };
      const push = { token: token.token, payload, tag: identity, ttl };
      return sendFcm(ctx, accessTokens, { credentials: fcm, push });
    },
  };
}
