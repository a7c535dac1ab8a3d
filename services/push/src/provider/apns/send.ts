import type { PushToken } from '@parley/proto/parley/identity/v1/push_token_pb';
import { parseRetryAfter } from '@parley/outbound/turns/retry-schedule';
import type { Context } from '../../context.ts';
import { describeAnswer, isTemporary, type Outcome } from '../outcome.ts';
import type { Connections, Http2Answer } from './connections.ts';
import { isTopic, type ApnsCredentials } from './credentials.ts';
import type { ProviderTokens } from './provider-token.ts';

export type ApnsPush = {
  appId: string;
  token: PushToken;
  /** An alert is shown at once; one in the background wakes the application when the phone finds it convenient. */
  type: 'alert' | 'background';
  /** The payload as JSON. */
  body: string;
  /** A later push with the same one takes its place. */
  identity: string;
  /** Seconds. */
  ttl: number;
};

type Parts = { connections: Connections; tokens: ProviderTokens };

const GONE = 410;
const FORBIDDEN = 403;
const PRIORITIES = { alert: '10', background: '5' } as const;

/** Sends a push by Apple's HTTP/2 interface. */
export async function sendApns(
  ctx: Pick<Context, 'clock' | 'config'>,
  { connections, tokens }: Parts,
  { credentials, push }: { credentials: ApnsCredentials; push: ApnsPush },
): Promise<Outcome> {
  const { token } = push;
  if (!/^[0-9a-fA-F]{2,200}$/.test(token.token))
    return { kind: 'gone', reason: 'the token is not hexadecimal' };
  const origin = isSandbox(token) ? ctx.config.apnsSandboxUrl : ctx.config.apnsUrl;
  const authorization = `bearer ${await tokens.get(credentials)}`;
  try {
    const answer = await connections.send(
      { appId: push.appId, origin },
      {
        path: `/3/device/${token.token}`,
        headers: { ...headersOf(push, credentials, ctx.clock.now()), authorization },
        body: push.body,
      },
    );
    const { reason, timestamp } = readError(answer);
    if (answer.status === FORBIDDEN && reason === 'ExpiredProviderToken') tokens.forget(credentials);
    return judge(answer, { reason, isSince: timestamp < token.updatedAt, now: ctx.clock.now() });
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** A token says itself which of Apple's environments it is of, and of which bundle. */
function isSandbox({ details }: PushToken): boolean {
  return details?.['environment'] === 'sandbox' || details?.['environment'] === 'development';
}

function headersOf(
  { token, type, identity, ttl }: ApnsPush,
  { topic }: ApnsCredentials,
  now: number,
): Record<string, string> {
  const own = token.details?.['bundle_id'];
  return {
    'apns-topic': isTopic(own) ? own : topic,
    'apns-push-type': type,
    'apns-priority': PRIORITIES[type],
    'apns-collapse-id': identity,
    'apns-expiration': String(Math.floor(now / 1000) + ttl),
  };
}

function judge(
  { status, retryAfter }: Http2Answer,
  { reason, isSince, now }: { reason: string; isSince: boolean; now: number },
): Outcome {
  if (status === 200) return { kind: 'delivered' };
  const described = describeAnswer(status, reason);
  // A token that was registered again since Apple last saw it gone is valid.
  if (status === GONE) return { kind: isSince ? 'refused' : 'gone', reason: described };
  const isExpired = reason === 'ExpiredProviderToken';
  if (!isTemporary(status) && !isExpired) return { kind: 'refused', reason: described };
  return { kind: 'failed', reason: described, retryAfterMs: parseRetryAfter(retryAfter, now) };
}

/** Apple's reason, and since when a token is gone, in milliseconds. */
function readError({ body }: Http2Answer): { reason: string; timestamp: number } {
  try {
    const { reason, timestamp } = Object(JSON.parse(body.toString())) as {
      reason?: unknown;
      timestamp?: unknown;
    };
    return {
      reason: typeof reason === 'string' ? reason : '',
      timestamp: typeof timestamp === 'number' ? timestamp : Infinity,
    };
  } catch {
    return { reason: '', timestamp: Infinity };
  }
}
