import type { RequestHandler } from './index.ts';

/** `Counter.read`: the last number sent before this response. */
export const readCounter: RequestHandler = async ({ connection }) => ({ counter: connection.counter });
