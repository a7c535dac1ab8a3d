import type { PushToken } from '@parley/proto/parley/identity/v1/push_token_pb';
import type { PushContent } from '@parley/proto/parley/push/v1/push_pb';
import { payloadOf, withTag } from '../content/of-delivery.ts';
import type { Withdrawal } from '../content/withdrawal.ts';
import type { Context } from '../context.ts';
import { createCredentialsStore } from '../credentials/store.ts';
import { checkApns } from '../provider/apns/check.ts';
import type { ApnsCredentials } from '../provider/apns/credentials.ts';
import { apnsPayload, apnsWithdrawal } from '../provider/apns/message.ts';
import { createProviderTokens } from '../provider/apns/provider-token.ts';
import { sendApns, type ApnsPush } from '../provider/apns/send.ts';
import { createAccessTokens, type AccessTokens } from '../provider/fcm/access-token.ts';
import { fcmMessage, fcmWithdrawal } from '../provider/fcm/message.ts';
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
  /** A uuid under which the device shows the push once. */
  identity: string;
  /** Whether texts and sender are left out. */
  idsOnly?: boolean;
  /** Whether the push replaces earlier ones of its conversation, whose id is then the identity. */
  collapsesConversation?: boolean;
  /** Seconds for which the push service keeps it. */
  ttl: number;
};

/** `ttl`: seconds for which the push service keeps it. */
export type OutgoingWithdrawal = Pick<OutgoingPush, 'appId' | 'token' | 'ttl'> & { withdrawal: Withdrawal };

/** Collapse id of withdrawals, of which Apple keeps the last one for a phone that is away. */
const WITHDRAWAL = 'withdraw';

/** Sends a push by the push service of its device. */
export type Sender = {
  /** Rejects only for failures of this platform's own. */
  send(push: OutgoingPush): Promise<Outcome>;
  /** Has the application on a phone take notifications away. Rejects only for failures of this platform's own. */
  withdraw(push: OutgoingWithdrawal): Promise<Outcome>;
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

  async function sendToPhone(
    { appId, token, ttl }: Pick<OutgoingPush, 'appId' | 'token' | 'ttl'>,
    forms: { fcm(): string; apns(): Pick<ApnsPush, 'type' | 'body' | 'identity'> },
  ): Promise<Outcome> {
    const provider = providerOf(token.type);
    const { fcm, apns } = await credentials.of(appId);
    if (provider === 'fcm' && fcm) return sendFcm(ctx, accessTokens, { credentials: fcm, body: forms.fcm() });
    if (provider !== 'apns' || !apns)
      return { kind: 'refused', reason: 'the application has no credentials' };
    const push = { appId, token, ttl, ...forms.apns() };
    return sendApns(ctx, { connections, tokens: providerTokens }, { credentials: apns, push });
  }

  return {
    accessTokens,
    checkApns: (appId, apns) =>
      checkApns(ctx, { connections, tokens: providerTokens }, { appId, credentials: apns }),
    async send(push) {
      const { appId, token, content, identity, ttl } = push;
      const payload = payloadOf(ctx.wire, push);
      if (providerOf(token.type) === 'web') {
        const tagged = withTag(ctx.wire, push, payload);
        return sendWebPush(ctx, vapidTokens, { appId, token, payload: tagged, topic: identity, ttl });
      }
      const thread = content.conversationId || undefined;
      return sendToPhone(push, {
        fcm: () => fcmMessage({ token: token.token, payload, tag: identity, ttl }),
        apns: () => ({ type: 'alert', body: apnsPayload(payload, thread), identity }),
      });
    },
    withdraw: ({ withdrawal, ...push }) =>
      sendToPhone(push, {
        fcm: () => fcmWithdrawal(push.token.token, withdrawal, push.ttl),
        apns: () => ({ type: 'background', body: apnsWithdrawal(withdrawal), identity: WITHDRAWAL }),
      }),
  };
}
