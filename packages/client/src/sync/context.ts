import type { WebSocketConstructor } from '../api/client-options.ts';
import type { ClientEvents, ConnectionState } from '../api/events.ts';
import type { Http } from '../connection/http.ts';
import type { Session } from '../connection/session.ts';
import type { Socket } from '../connection/socket.ts';
import type { Waiting } from '../connection/waiting.ts';
import type { Store, Write } from '../store/store.ts';
import type { Coordinator } from '../tabs/coordinator.ts';
import type { Records } from '../records/in-memory.ts';
import type { PacketsDuringRequest } from './packets-during-request.ts';
import type { EphemeralState } from './ephemeral-state.ts';
import type { Message } from '../records/records.ts';

/** What the parts of a client share while it serves one user. */
export type Context = {
  readonly userId: string;
  /** URI of the user's identity. */
  readonly me: string;
  readonly wire: string;
  readonly http: Http;
  readonly session: Session;
  readonly store: Store;
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
  readonly emit: <K extends keyof ClientEvents>(name: K, event: ClientEvents[K]) => void;
  /** A message of the user was stored by the platform. */
  readonly sent: (message: Message) => void;
  readonly diagnose: (name: string, data?: Readonly<Record<string, unknown>>) => void;
  /** Records have changed: queries are looked at again. `now`: by the user, so without waiting for the next frame. */
  readonly changed: (writes: readonly Write[], now: boolean) => void;
  /** Whether the application wants a connection: nothing is sent after `disconnect`. */
  readonly isWanted: () => boolean;
  /** Ended by `destroy`. */
  readonly ended: AbortSignal;
  /** The epoch in which this client leads; undefined while another tab does. */
  epoch: number | undefined;
  /** The connection, at the leader. */
  socket: Socket | undefined;
  connection: ConnectionState;
  /** Changes of other tabs and packets are shown later, when a replay is complete. */
  isReplaying: boolean;
};

export function setConnection(ctx: Context, connection: ConnectionState): void {
  if (ctx.connection.status === connection.status && ctx.connection.error === connection.error) return;
  ctx.connection = connection;
  if (ctx.epoch !== undefined) ctx.coordinator.post({ kind: 'connection', status: connection.status });
  ctx.emit('connection', connection);
}

/** A queue of one worker. */
export function createSerial(): Context['serial'] {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}
