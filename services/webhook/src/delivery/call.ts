import type { TargetClient } from '@parley/outbound/client';
import { describeFailure } from '@parley/outbound/describe-failure';
import type { Prepared } from './prepare.ts';

/** A target's answer, or why there was none. */
export type Outcome = {
  durationMs: number;
  status?: number;
  retryAfter?: string;
  /** The beginning of the answer's body. */
  text?: string;
  error?: string;
};

const MAX_BODY_BYTES = 65_536;
const MAX_KEPT_CHARACTERS = 1024;

/** Second stage: the request. Never fails: no answer is an outcome as well. */
export async function call(targets: TargetClient, { url, headers, body }: Prepared): Promise<Outcome> {
  const began = performance.now();
  const duration = (): number => Math.round(performance.now() - began);
  try {
    const answer = await targets.send({ method: 'POST', url, headers, body, maxBytes: MAX_BODY_BYTES });
    return {
      durationMs: duration(),
      status: answer.status,
      ...(answer.retryAfter !== undefined && { retryAfter: answer.retryAfter }),
      text: excerpt(answer.body),
    };
  } catch (error) {
    return { durationMs: duration(), error: describeFailure(error) };
  }
}

/** The beginning of a body, as text that Postgres accepts in JSON. */
function excerpt(body: Buffer): string {
  return body
    .subarray(0, 4 * MAX_KEPT_CHARACTERS)
    .toString('utf8')
    .replaceAll('\0', '�')
    .slice(0, MAX_KEPT_CHARACTERS)
    .toWellFormed();
}
