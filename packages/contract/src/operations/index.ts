import { MESSAGES } from './messages.ts';
import type { Operations } from './operation.ts';

/** Every operation of the public API. */
export const OPERATIONS: Operations = { ...MESSAGES };
