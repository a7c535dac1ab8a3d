import type { ServerResponse } from 'node:http';
import type { RequestContext } from '@parley/kit/runtime/request-context';

type Exchange = { caller: { actor?: string | undefined } | undefined };
type ContextOptions = { requestId: string; deadline: number; res: ServerResponse; exchange: Exchange };

/**
 * The context of an HTTP request. The abort signal is created on first use, since most requests never need one. What the work leaves behind, such as the socket
 * write of the answer, keeps the context alive beyond the request: docs/decisions/foundation.md#short-lived-objects-stay-young
 */
export class HttpContext implements RequestContext {
  readonly requestId: string;
  readonly deadline: number;
  #actor: string | undefined;
  #signal: AbortSignal | undefined;
  #request: { res: ServerResponse; exchange: Exchange } | undefined;

  constructor({ requestId, deadline, res, exchange }: ContextOptions) {
    this.requestId = requestId;
    this.deadline = deadline;
    this.#request = { res, exchange };
  }

  /** Known once the request's token was looked up. */
  get actor(): string | undefined {
    return this.#request ? this.#request.exchange.caller?.actor : this.#actor;
  }

  get signal(): AbortSignal | undefined {
    if (this.#request) this.#signal ??= abortedWith(this.#request.res);
    return this.#signal;
  }

  /** To be called once the request is answered. Drops the request and the response; the actor and a signal that was read stay. */
  release(): void {
    this.#actor = this.actor;
    this.#request = undefined;
  }
}

function abortedWith(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.on('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}
