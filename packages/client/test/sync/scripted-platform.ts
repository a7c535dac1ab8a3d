import { createClient, type Client, type ClientOptions, type SocketLike } from '../../src/index.ts';

type ScriptedRequest = { method: string; request_id: string; object_id?: string; data?: unknown };

/** The other side of a socket of the library: the test says what the platform sends, and when. */
export class ScriptedSocket implements SocketLike {
  onopen: SocketLike['onopen'] = null;
  onmessage: SocketLike['onmessage'] = null;
  onclose: SocketLike['onclose'] = null;
  onerror: SocketLike['onerror'] = null;
  /** The methods of the requests of the library, with the ids of the requests. */
  readonly requests: ScriptedRequest[] = [];
  #counter = 0;

  /** Opens the socket with `hello`. */
  sayHello(): void {
    this.onopen?.({} as never);
    const user = {
      id: 'svc:///identities/ada',
      url: '',
      user_id: 'ada',
      display_name: null,
      avatar_url: null,
    };
    this.hand('hello', { user, server_time: TIME, keep_alive_in_seconds: 60, limits: {} });
  }
  hand(type: string, body: unknown): void {
    const packet = { type, counter: this.#counter++, timestamp: TIME, body };
    this.onmessage?.({ data: JSON.stringify(packet) } as never);
  }
  /** Leaves out a number, as if a packet had been lost. */
  losePacket(): void {
    this.#counter++;
    this.hand('poll', null);
  }
  answer(data: unknown): void {
    const { request_id } = this.requests.at(-1)!;
    this.hand('response', { request_id, success: true, data });
  }
  refuse(id: string): void {
    const { request_id } = this.requests.at(-1)!;
    this.hand('response', {
      request_id,
      success: false,
      data: { id, code: 0, message: id, url: '', data: null },
    });
  }
  end(code: number): void {
    this.onclose?.({ code, reason: '' } as never);
  }
  send(data: string): void {
    const { type, body } = JSON.parse(data) as { type: string; body: ScriptedRequest };
    if (type === 'request') this.requests.push(body);
  }
  close(): void {}
}

const TIME = '2026-11-27T12:00:00.000Z';

export type ScriptedPlatform = {
  readonly client: Client;
  readonly sockets: ScriptedSocket[];
  /** Lists of conversations that the library waits for. */
  readonly lists: PromiseWithResolvers<void>[];
  /** The names of the diagnostics. */
  readonly diagnostics: string[];
};

/** A client of a platform without conversations, of which the test plays the part. */
export function scriptedPlatform(options: Partial<ClientOptions> = {}): ScriptedPlatform {
  const sockets: ScriptedSocket[] = [];
  const lists: PromiseWithResolvers<void>[] = [];
  const diagnostics: string[] = [];
  const client = createClient({
    ...options,
    url: 'http://chat.test',
    appId: 'svc:///apps/staging/01990000-0000-7000-8000-000000000001',
    userId: 'ada',
    identityToken: () => Promise.resolve(`e30.${btoa('{"prn":"ada"}').replaceAll('=', '')}.e30`),
    retryInMs: { first: 1, longest: 1 },
    WebSocket: class extends ScriptedSocket {
      constructor() {
        super();
        sockets.push(this);
      }
    },
    async fetch(input) {
      if (String(input).endsWith('/nonces')) return Response.json({ nonce: 'n' });
      if (String(input).endsWith('/sessions')) return Response.json({ session_token: 't' });
      if (!String(input).includes('/conversations')) return new Response(null, { status: 204 });
      const list = Promise.withResolvers<void>();
      lists.push(list);
      await list.promise;
      return Response.json([]);
    },
  });
  client.on('diagnostic', ({ name }) => diagnostics.push(name));
  return { client, sockets, lists, diagnostics };
}
