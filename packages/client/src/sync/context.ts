import type { Session } from '../connection/session.ts';
import type { Waiting } from '../connection/waiting.ts';
import type { WebSocketConstructor } from '../connection/websocket.ts';
import type { ParleyError } from '../errors.ts';
import type { Records } from '../records/in-memory.ts';
import type { Change, Message } from '../records/records.ts';
import type { RecordStore, RecordWrite } from '../records/rows.ts';
import type { WriteBatch } from '../records/write-batch.ts';
import type { Coordinator } from '../tabs/coordinator.ts';
import type { EphemeralState } from './ephemeral-state.ts';
import type { PacketsDuringRequest } from './packets-during-request.ts';
import type { ConnectionState, Sync } from './state.ts';

/** A refusal of something that the user did. */
type Failure = {
  operation: string;
  conversation: string | undefined;
  message: string | undefined;
  error: ParleyError;
};

/** Calls that tell the application and its queries what happens. */
export type Reports = {
  /** The events of these names that `ClientEvents` describes. */
  readonly emit: {
    (name: 'connection', event: ConnectionState): void;
    (name: 'failed', event: Failure): void;
    (name: 'otherUser', event: { expected: string; found: string }): void;
    (name: 'loggedOut', event: undefined): void;
  };
  /** A message of another user is new on this device. */
  readonly arrived: (message: Message) => void;
  /** A message of the user was stored by the platform. */
  readonly sent: (message: Message) => void;
  readonly diagnose: (name: string, data?: Readonly<Record<string, unknown>>) => void;
  /** Records have changed: queries are looked at again. `now`: by the user, so without waiting for the next frame. */
  readonly changed: (writes: readonly RecordWrite[], now: boolean) => void;
};

/** Reports of the sync to the pending operations, of which it knows nothing else. */
export type SyncListener = {
  /** The client leads, and the application wants a connection. */
  started(ctx: Context): void;
  /** A socket has said `hello`. The result is called each time the client is live on it. */
  connected(ctx: Context): (epoch: number) => void;
  /** A change was applied, in a batch that is not written yet. */
  applied(ctx: Pick<Context, 'me' | 'sent' | 'coordinator'>, batch: WriteBatch, change: Change): void;
};

/** State and calls that the parts of a client share while it serves one user. */
export type Context = Reports & {
  readonly userId: string;
  /** URI of the user's identity. */
  readonly me: string;
  readonly wire: string;
  /** Address of the platform. */
  readonly url: string;
  readonly session: Session;
  readonly store: RecordStore;
  readonly records: Records;
  readonly coordinator: Coordinator;
  readonly WebSocket: WebSocketConstructor;
  readonly packetsDuringRequest: PacketsDuringRequest;
  /** Typing and presence: what is not kept. */
  readonly ephemeral: EphemeralState;
  readonly waiting: Waiting;
  readonly retry: { readonly first: number; readonly longest: number };
  /** Runs tasks that read or change the records one after the other. */
  readonly serial: <T>(task: () => Promise<T>) => Promise<T>;
  /** Whether the application wants a connection: nothing is sent after `disconnect`. */
  readonly isWanted: () => boolean;
  /** Ended by `destroy`. */
  readonly ended: AbortSignal;
  readonly listener: SyncListener;
  /** The state of the sync, which `moveTo` changes. */
  readonly sync: Sync;
};

/** A queue of one worker. */
export function createSerial(): Context['serial'] {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}
