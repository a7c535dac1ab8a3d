/** The part of the standard WebSocket that the library uses, as in browsers, Node and the package `ws`. */
export type WebSocketConstructor = new (url: string, protocols: string[]) => SocketLike;

/** A socket. The library sets the listeners; `never` allows each implementation its own event types. */
export type SocketLike = {
  send(data: string): void;
  close(code?: number, reason?: string): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
};
