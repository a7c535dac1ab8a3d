import type { CoordinatorFactory } from '../tabs/coordinator.ts';
import type { Storage } from '../store/store.ts';

/** How `createClient` is set up. */
export type ClientOptions = {
  /** Where the platform is: `https://chat.example.com`. */
  readonly url: string;
  /** The URI of the application with its environment: `svc:///apps/production/<uuid>`. */
  readonly appId: string;
  /**
   * Asks the application's own backend for an identity token with this nonce. Called at the first login, and whenever a
   * session has ended. It may fail, and is called again later.
   */
  readonly identityToken: (nonce: string) => Promise<string>;
  /**
   * Whose records to open before the network answers. Without it those of the user who logged in last on this device and has
   * not logged out.
   */
  readonly userId?: string;
  /** Where records are kept; by default in memory only. `indexedDbStorage()` of `@parley/client/indexeddb` outlives the page. */
  readonly storage?: Storage;
  /** How several tabs share one store; `tabs()` of `@parley/client/indexeddb`. By default the client is alone. */
  readonly coordinator?: CoordinatorFactory;
  /** For runtimes without one of their own. */
  readonly WebSocket?: WebSocketConstructor;
  /**
   * How long to wait before the next try of a connection or a request, in milliseconds: at first, and at most. Waits double
   * and are random in part. By default 1,000 and 30,000.
   */
  readonly retryInMs?: { readonly first: number; readonly longest: number };
  /** For runtimes without one of their own, or to send requests another way. */
  readonly fetch?: typeof fetch;
};

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
