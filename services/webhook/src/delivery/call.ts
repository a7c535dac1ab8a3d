import type { TargetClient } from '../target/client.ts';
import { describeFailure } from '../target/describe-failure.ts';
import type { Prepared } from './prepare.ts';

/** What a target said, or why it said nothing. */
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

/** Second stage. Never fails: no answer is an outcome too. */
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

/** What Postgres takes as text of JSON. */
function excerpt(body: Buffer): string {
  return body
    .subarray(0, 4 * MAX_KEPT_CHARACTERS)
    .toString('utf8')
    .replaceAll('\0', '�')
    .slice(0, MAX_KEPT_CHARACTERS)
    .toWellFormed();
}
