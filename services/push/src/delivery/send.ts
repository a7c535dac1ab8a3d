import type { PushToken } from '@parley/proto/parley/identity/v1/push_token_pb';
import type { PushContent } from '@parley/proto/parley/push/v1/push_pb';
import { payloadOf, withTag } from '../content/of-delivery.ts';
import type { Context } from '../context.ts';
import { createCredentialsStore } from '../credentials/store.ts';
import { checkApns } from '../provider/apns/check.ts';
import type { ApnsCredentials } from '../provider/apns/credentials.ts';
import { createProviderTokens } from '../provider/apns/provider-token.ts';
import { sendApns } from '../provider/apns/send.ts';
import { createAccessTokens, type AccessTokens } from '../provider/fcm/access-token.ts';
import { sendFcm } from '../provider/fcm/send.ts';
import type { Outcome } from '../provider/outcome.ts';
import { providerOf, type Provider } from '../provider/route.ts';
import { sendWebPush } from '../provider/web/send.ts';
import { createVapidTokens } from '../provider/web/vapid-token.ts';

export type OutgoingPush = {
  appId: string;
  token: PushToken;
  content: PushContent;
  badge: number;
  /** Under which the device shows it once: a uuid. */
  identity: string;
  /** Without texts and sender. */
  idsOnly?: boolean;
  /** It takes the place of earlier ones of its conversation, whose id is the identity. */
  collapsesConversation?: boolean;
  /** Seconds for which the push service keeps it. */
  ttl: number;
};

/** Sends a push by the push service of its device. */
export type Sender = {
  /** Rejects only for failures of this platform's own. */
  send(push: OutgoingPush): Promise<Outcome>;
  accessTokens: AccessTokens;
  /** Asks Apple about credentials. Problems: invalid_property. False when it cannot be asked. */
  checkApns(appId: string, credentials: ApnsCredentials): Promise<boolean>;
};

export function createSender(ctx: Context): Sender {
  const { targets, config, connections } = ctx;
  const vapidTokens = createVapidTokens(ctx);
  const credentials = createCredentialsStore(ctx);
  const accessTokens = createAccessTokens({ targets, tokenUrl: config.googleTokenUrl });
  const providerTokens = createProviderTokens();

  async function sendByPhone(provider: Provider | undefined, push: OutgoingPush): Promise<Outcome> {
    const { appId, token, content, identity, ttl } = push;
    const payload = payloadOf(ctx.wire, push);
    const { fcm, apns } = await credentials.of(appId);
    if (provider === 'fcm' && fcm) {
      const message = { token: token.token, payload, tag: identity, ttl };
      return sendFcm(ctx, accessTokens, { credentials: fcm, push: message });
    }
    if (provider !== 'apns' || !apns)
      return { kind: 'refused', reason: 'the application has no credentials' };
    const thread = content.conversationId || undefined;
    const alert = { appId, token, payload, thread, identity, ttl };
    return sendApns(ctx, { connections, tokens: providerTokens }, { credentials: apns, push: alert });
  }

  return {
    accessTokens,
    checkApns: (appId, apns) =>
      checkApns(ctx, { connections, tokens: providerTokens }, { appId, credentials: apns }),
    async send(push) {
      const { appId, token, identity: topic, ttl } = push;
      const provider = providerOf(token.type);
      if (provider !== 'web') return sendByPhone(provider, push);
      const payload = withTag(ctx.wire, push, payloadOf(ctx.wire, push));
      return sendWebPush(ctx, vapidTokens, { appId, token, payload, topic, ttl });
    },
  };
}
