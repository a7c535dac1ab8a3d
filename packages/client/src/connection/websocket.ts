/** As much of the standard WebSocket as the library uses: that of browsers, of Node, and of the package `ws`. */
export type WebSocketConstructor = new (url: string, protocols: string[]) => SocketLike;

/** A socket. The library sets the listeners; `never` lets each implementation have events of its own. */
export type SocketLike = {
  send(data: string): void;
  close(code?: number, reason?: string): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
};
