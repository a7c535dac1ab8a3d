import { knownPushHost } from '@parley/domain/push-hosts';
import { parseRetryAfter } from '@parley/outbound/turns/retry-schedule';
import { describeFailure } from '@parley/outbound/describe-failure';
import type { TargetAnswer } from '@parley/outbound/client';
import type { Context } from '../../context.ts';
import { describeAnswer, isTemporary, type Outcome } from '../outcome.ts';
import { makeRequest, type WebPush } from './request.ts';
import type { VapidTokens } from './vapid-token.ts';

const MAX_BODY_BYTES = 4096;
const GONE = new Set([404, 410]);

/** Sends a push to a browser (RFC 8030). Never rejects but for failures of this platform's own. */
export async function sendWebPush(ctx: Context, tokens: VapidTokens, push: WebPush): Promise<Outcome> {
  if (knownPushHost(ctx.config.webHosts, push.token.token) === undefined)
    return { kind: 'refused', reason: 'the address is not one of a known push service' };
  const url = new URL(push.token.token);
  const authorization = await tokens.headerFor(push.appId, url.origin);
  if (authorization === undefined) return { kind: 'refused', reason: 'the application is deleted' };
  const request = makeRequest(push, authorization);
  if (!request) return { kind: 'gone', reason: 'the keys of the subscription are not valid' };
  try {
    const answer = await ctx.targets.send({ method: 'POST', url, maxBytes: MAX_BODY_BYTES, ...request });
    return judge(answer, ctx.clock.now());
  } catch (error) {
    return { kind: 'failed', reason: describeFailure(error) };
  }
}

function judge({ status, body, retryAfter }: TargetAnswer, now: number): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const reason = describeAnswer(status, body.toString('utf8'));
  if (GONE.has(status)) return { kind: 'gone', reason };
  if (!isTemporary(status)) return { kind: 'refused', reason };
  return { kind: 'failed', reason, retryAfterMs: parseRetryAfter(retryAfter, now) };
}
