import type { SocketLike, WebSocketConstructor } from '@parley/client';

/** Replaces a packet that a socket receives; undefined: the packet is dropped. */
export type Filter = (text: string) => string | undefined;

/** Real sockets, each of which changes or holds back what the platform sends. `newFilter` is called for each. */
export function filteredSocket(newFilter: () => Filter): WebSocketConstructor {
  return class implements SocketLike {
    onopen: (() => void) | null = null;
    onmessage: ((event: { data: unknown }) => void) | null = null;
    onclose: ((event: { code: number; reason: string }) => void) | null = null;
    onerror: (() => void) | null = null;
    readonly #socket: WebSocket;

    constructor(url: string, protocols: string[]) {
      const filter = newFilter();
      this.#socket = new WebSocket(url, protocols);
      this.#socket.onopen = () => this.onopen?.();
      this.#socket.onmessage = ({ data }) => {
        const text = filter(String(data));
        if (text !== undefined) this.onmessage?.({ data: text });
      };
      this.#socket.onclose = ({ code, reason }) => this.onclose?.({ code, reason });
      this.#socket.onerror = () => this.onerror?.();
    }

    send(data: string): void {
      this.#socket.send(data);
    }

    close(code?: number, reason?: string): void {
      this.#socket.close(code, reason);
    }
  };
}
