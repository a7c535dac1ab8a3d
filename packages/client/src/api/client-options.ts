import type { CoordinatorFactory } from '../tabs/coordinator.ts';
import type { WebSocketConstructor } from '../connection/websocket.ts';
import type { Storage } from '../store/store.ts';

/** Options of `createClient`. */
export type ClientOptions = {
  /** Address of the platform: `https://chat.example.com`. */
  readonly url: string;
  /** The URI of the application with its environment: `svc:///apps/production/<uuid>`. */
  readonly appId: string;
  /**
   * Asks the application's own backend for an identity token with this nonce. Called at the first login, and whenever a
   * session has ended. It may fail, and is called again later.
   */
  readonly identityToken: (nonce: string) => Promise<string>;
  /**
   * User whose records are opened before the network answers. Default: the user who logged in last on this device and has not logged out.
   */
  readonly userId?: string;
  /** Storage of the records; by default in memory only. `indexedDbStorage()` of `@parley/client/indexeddb` outlives the page. */
  readonly storage?: Storage;
  /** How several tabs share one store; `tabs()` of `@parley/client/indexeddb`. By default the client is alone. */
  readonly coordinator?: CoordinatorFactory;
  /** For runtimes without a built-in WebSocket. */
  readonly WebSocket?: WebSocketConstructor;
  /**
   * Waits between attempts of a connection or a request, in milliseconds: the first and the longest. Waits double and are partly random. By
   * default 1,000 and 30,000.
   */
  readonly retryInMs?: { readonly first: number; readonly longest: number };
  /**
   * Whether the client automatically reports which messages have reached the device, so that senders see them as delivered: in
   * conversations of at most `maxParticipants`, by default 50. `false`: only `message.markDelivered` reports it.
   */
  readonly deliveryReceipts?: false | { readonly maxParticipants: number };
  /** For runtimes without a built-in `fetch`, or to send requests in another way. */
  readonly fetch?: typeof fetch;
};
