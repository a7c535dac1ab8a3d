import { createSealer, type Sealer } from '@parley/kit/seal';
import type { Context } from './context.ts';

/** How long an idempotency key is remembered. SPEC completions 1, deduplication */
export const KEY_LIFETIME_MS = 86_400_000;

/** Records of performed operations outlive their keys, since an attempt may begin just before its key expires. */
export const PERFORMED_LIFETIME_MS = KEY_LIFETIME_MS + 600_000;

/** Encrypts stored answers, since they may hold secrets such as a session token. */
export function answerSealer({ config }: Context): Sealer {
  return createSealer(config.nonceSecret, 'answers of operations');
}
