import { createSealer, type Sealer } from '@parley/kit/seal';
import type { Context } from '../context.ts';

/** Encrypts stored answers, since they may hold secrets such as a session token. */
export function answerSealer({ config }: Context): Sealer {
  return createSealer([config.nonceSecret, ...config.acceptedNonceSecrets], 'answers of operations');
}
