import type { Answer } from './http.ts';
import { until } from './until.ts';

/**
 * Sends until a request is refused, and returns the refusal. Fails when a request sent later than `withinMs` from now is
 * accepted: how long answers take on a busy machine does not matter.
 */
export async function untilRefused(
  send: (expected: number) => Promise<Answer>,
  status: number,
  { withinMs }: { withinMs: number },
): Promise<Answer> {
  const startedAt = Date.now();
  return until(`it is refused with ${status}`, async () => {
    const sentAt = Date.now();
    const refusal = await send(status).catch(() => undefined);
    if (!refusal && sentAt - startedAt > withinMs) throw new Error(`let in ${sentAt - startedAt} ms later`);
    return refusal;
  });
}
