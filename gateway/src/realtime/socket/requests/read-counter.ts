import type { SocketRequest } from './request.ts';

/** `Counter.read`: the last number sent before this response. */
export async function readCounter({ connection }: SocketRequest): Promise<object> {
  return { counter: connection.counter };
}
