import { isFields } from '@parley/domain/parse/fields';
import { describeFailure } from '@parley/outbound/describe-failure';
import type { TargetAnswer } from '@parley/outbound/client';
import { parseRetryAfter } from '@parley/outbound/turns/retry-schedule';
import type { Context } from '../../context.ts';
import { describeAnswer, isTemporary, type Outcome } from '../outcome.ts';
import { AccessRefused, type AccessTokens } from './access-token.ts';
import type { FcmCredentials } from './credentials.ts';

const MAX_BODY_BYTES = 16_384;
const UNAUTHORIZED = 401;
const NOT_FOUND = 404;

/** Sends a request body by FCM's HTTP v1 interface. */
export async function sendFcm(
  { targets, clock, config }: Pick<Context, 'targets' | 'clock' | 'config'>,
  tokens: AccessTokens,
  { credentials, body }: { credentials: FcmCredentials; body: string },
): Promise<Outcome> {
  try {
    const token = await tokens.get(credentials);
    const answer = await targets.send({
      method: 'POST',
      url: new URL(`/v1/projects/${encodeURIComponent(credentials.projectId)}/messages:send`, config.fcmUrl),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body,
      maxBytes: MAX_BODY_BYTES,
    });
    if (answer.status === UNAUTHORIZED) tokens.forget(credentials);
    return judge(answer, clock.now());
  } catch (error) {
    if (error instanceof AccessRefused) return { kind: 'refused', reason: error.message };
    return { kind: 'failed', reason: describeFailure(error) };
  }
}

/** A token that was taken back is asked for again, so a 401 is temporary. */
function judge(answer: TargetAnswer, now: number): Outcome {
  const { status, body, retryAfter } = answer;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const { code, reason } = readError(answer);
  if (code === 'UNREGISTERED') return { kind: 'gone', reason };
  const waits = isTemporary(status) || status === UNAUTHORIZED;
  if (waits) return { kind: 'failed', reason, retryAfterMs: parseRetryAfter(retryAfter, now) };
  return status === NOT_FOUND && body.length > 0 && code === undefined
    ? { kind: 'refused', reason: `the project is not known: ${reason}` }
    : { kind: 'refused', reason };
}

/** The error code of FCM among the details, and the message. */
function readError({ status, body }: TargetAnswer): { code: string | undefined; reason: string } {
  try {
    const answer = JSON.parse(body.toString()) as { error?: { message?: unknown; details?: unknown } };
    const details: unknown = answer.error?.details;
    const codes = Array.isArray(details)
      ? details.flatMap((one: unknown) =>
          isFields(one) && typeof one['errorCode'] === 'string' ? [one['errorCode']] : [],
        )
      : [];
    const [code] = codes;
    const message = [code, answer.error?.message].filter((one) => typeof one === 'string').join(' ');
    return { code, reason: describeAnswer(status, message) };
  } catch {
    return { code: undefined, reason: describeAnswer(status, body.toString('utf8')) };
  }
}
