import { randomBytes } from 'node:crypto';
import type { Wire } from '@parley/domain/wire';
import type { TargetClient } from '@parley/outbound/client';
import { describeFailure } from '@parley/outbound/describe-failure';

const MAX_BODY_BYTES = 1024;

/** Asks a target to echo a challenge. Returns why it failed; undefined: it passed. docs/protocol/webhooks.md#verification */
export async function challengeTarget(
  client: TargetClient,
  wire: Wire,
  targetUrl: string,
): Promise<string | undefined> {
  const challenge = randomBytes(32).toString('base64url');
  const url = withChallenge(targetUrl, challenge);
  const headers = { 'user-agent': wire.webhooksUserAgent, accept: '*/*' };
  try {
    const answer = await client.send({ method: 'GET', url, headers, maxBytes: MAX_BODY_BYTES });
    if (answer.status !== 200)
      return `verification failed: the target answered ${answer.status} instead of 200`;
    const isEcho = answer.isWhole && answer.body.equals(Buffer.from(challenge));
    return isEcho ? undefined : 'verification failed: the target did not answer with the challenge';
  } catch (error) {
    return `verification failed: ${describeFailure(error)}`;
  }
}

/** Adds the challenge to the target's query, which stays exactly as it is written. */
export function withChallenge(targetUrl: string, challenge: string): URL {
  const url = new URL(targetUrl);
  url.search = `${url.search === '' ? '?' : `${url.search}&`}verification_challenge=${challenge}`;
  return url;
}
