import { createSealer, type Sealer } from '@parley/kit/seal';
import type { Context } from './context.ts';

/** How long a key stands for its request. SPEC completions 1, deduplication */
export const KEY_LIFETIME_MS = 86_400_000;

/** What operations leave behind is needed a little longer than their keys: an attempt may begin just before the end. */
export const PERFORMED_LIFETIME_MS = KEY_LIFETIME_MS + 600_000;

/** Answers may hold secrets, such as a session token. */
export function answerSealer({ config }: Context): Sealer {
  return createSealer(config.nonceSecret, 'answers of operations');
}
