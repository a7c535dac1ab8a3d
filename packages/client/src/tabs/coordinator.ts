import type { Store } from '../store/store.ts';

/**
 * Decides which of several tabs leads. The leader has the socket, applies changes and sends the operations; the others show
 * the same records and hand their wishes over. `alone` is for a client that shares its store with no other.
 */
export type Coordinator = {
  /** Takes part. Called once, after the store was opened and read. */
  start(handlers: CoordinatorHandlers): void;
  /** Sends to the clients of all other tabs, who get it by `receive`, in order. Values are structured-cloneable JSON. */
  post(message: unknown): void;
  /** Runs a command at the leader, which is this client or another one. Waits for a leader where there is none. */
  ask(command: Command): Promise<unknown>;
  /** Takes part no more; the leadership passes on. */
  stop(): Promise<void>;
};

/** Something that only the leader can do, such as reading a page of history. Both sides are JSON. */
export type Command = { readonly name: string; readonly data: unknown };

/** Callbacks of a coordinator. */
export type CoordinatorHandlers = {
  /** This client leads from now on, in the epoch that the coordinator has claimed from the store. */
  lead(epoch: number): void;
  /** This client leads no more: it closes its socket, and drops what is under way. */
  follow(): void;
  /** Messages of other clients may have been lost, since the page was asleep: the client reads the store again. */
  refresh(): void;
  /** A message that another client posted. */
  receive(message: unknown): void;
  /** Runs a command of another client; a failure is a `ParleyError` and passed on as its JSON. */
  run(command: Command): Promise<unknown>;
};

/** `name` is that of the store, which the clients of one user in all tabs share. */
export type CoordinatorFactory = (options: { name: string; store: Store }) => Coordinator;

/**
 * A client that leads always, without other tabs. It is the one that `createClient` takes by itself.
 *
 * @param options The store, with its name.
 * @returns The coordinator.
 * @example const client = createClient({ url, appId, identityToken, coordinator: alone });
 */
export function alone({ store }: Parameters<CoordinatorFactory>[0]): Coordinator {
  let handlers: CoordinatorHandlers | undefined;
  return {
    start(given) {
      handlers = given;
      void store.claim().then((epoch) => handlers?.lead(epoch));
    },
    post: () => undefined,
    ask: (command) => (handlers ? handlers.run(command) : Promise.reject(new Error('the client has ended'))),
    stop() {
      handlers = undefined;
      return Promise.resolve();
    },
  };
}
