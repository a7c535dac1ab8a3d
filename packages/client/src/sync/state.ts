// The states of a client, and what leads from one to another. `moveTo` alone changes the state.
//
//                    ┌───────────┐   another tab leads (from every state)
//                    │ following │ ◀──────────────────────────────────────
//                    └─────┬─────┘
//                          │ lead
//                    ┌─────▼─────┐   not wanted    ┌─────────┐   not wanted (from every state below)
//                    │  elected  │ ──────────────▶ │ offline │ ◀─────────────────────────────────────
//                    └─────┬─────┘                 └────┬────┘
//                   wanted │                            │ wanted
//                    ┌─────▼─────┐ ◀────────────────────┘
//              ┌───▶ │ loggingIn │
//              │     └─────┬─────┘ ────────────────────┐
//              │           │ token                     │ another user
//              │     ┌─────▼─────┐                 ┌───▼─────┐
//     next try │     │  opening  │ ──────────────▶ │ stopped │
//              │     └─────┬─────┘  another user   └─────────┘
//              │           │ hello
//              │     ┌─────▼─────┐   the log does not reach back   ┌───────────┐
//              │     │ replaying │ ──────────────────────────────▶ │ resyncing │
//              │     └──┬─────▲──┘ ◀──────────── gap ───────────── └─────┬─────┘
//              │ in step│     │ gap                                      │
//              │     ┌──▼─────┴──┐               in step                 │
//              │     │   live    │ ◀─────────────────────────────────────┘
//              │     └─────┬─────┘
//              │           │ the connection ends, or fails (from each of the five states above)
//              │     ┌─────▼─────┐
//              └──── │  waiting  │
//                    └───────────┘

import type { Socket } from '../connection/socket.ts';
import type { ParleyError } from '../errors.ts';
import type { Context } from './context.ts';
import { postConnection } from './post.ts';

/** Properties that only some states have. */
type Parts = {
  /** The number of the leadership. */
  readonly epoch: number;
  /** Aborted when the client is to keep no connection any more. */
  readonly run: AbortController;
  readonly socket: Socket;
  /** Whether the client has been live on this socket. */
  readonly wasLive: boolean;
  /** Why the last connection ended. */
  readonly error: ParleyError | undefined;
};

type StateOf<Name extends string, Part extends keyof Parts = never> = { readonly name: Name } & Pick<
  Parts,
  Part
> & { readonly [Missing in Exclude<keyof Parts, Part>]?: undefined };

/** A state of a socket that has said `hello`. */
export type Connected = StateOf<'replaying' | 'resyncing' | 'live', 'epoch' | 'run' | 'socket' | 'wasLive'>;

export type SyncState =
  /** Another tab leads, or none yet: the client shows what the leader says. */
  | StateOf<'following'>
  /**
   * `elected`: the client leads, and reads the records again, since the leader before may have written more than it said.
   * `offline`: it leads, and the application wants no connection.
   */
  | StateOf<'elected' | 'offline', 'epoch'>
  | StateOf<'loggingIn', 'epoch' | 'run'>
  | StateOf<'opening', 'epoch' | 'run' | 'socket'>
  /**
   * `replaying`: packets since the cursor come once more. `resyncing`: all lists are read, since the log does not reach back to the
   * cursor, or there is none. `live`: nothing is missing, and each packet moves the cursor.
   */
  | Connected
  /** `waiting`: for the network or the next try. `stopped`: the session is of another user. */
  | StateOf<'waiting' | 'stopped', 'epoch' | 'run' | 'error'>;

/** How a client stands to the platform. */
export type ConnectionState = {
  /**
   * `connecting`: logging in, opening the socket or replaying. `online`: every change arrives at once. `offline`: waiting
   * for the network or for the next try. `stopped`: destroyed, logged out, or of another user.
   */
  readonly status: 'connecting' | 'online' | 'offline' | 'stopped';
  /** Why it is offline or stopped. */
  readonly error: ParleyError | undefined;
};

/** The state, and what the application is shown of it. */
export type Sync = { state: SyncState; connection: ConnectionState };

/** The status that the application is shown from a state on; the other states leave it unchanged. */
const SHOWN: Partial<Record<SyncState['name'], ConnectionState['status']>> = {
  loggingIn: 'connecting',
  live: 'online',
  waiting: 'offline',
  offline: 'offline',
  stopped: 'stopped',
};

export function createSync(): Sync {
  return { state: { name: 'following' }, connection: { status: 'connecting', error: undefined } };
}

/** Enters a state, and ends a connection with which the state does not go on. */
export function moveTo(ctx: Context, state: SyncState): void {
  const { state: before } = ctx.sync;
  ctx.sync.state = state;
  if (before.run !== state.run) endConnection(before);
  const status = SHOWN[state.name];
  if (status) showConnection(ctx, { status, error: state.error });
  // Queries show the changes of a replay at its end.
  if (before.name === 'replaying') ctx.changed([], false);
}

/** Ends the connection of a state, or the wait for one. */
export function endConnection({ run, socket }: SyncState): void {
  run?.abort();
  socket?.close();
}

/** Shows how the client stands to the platform, here and, if it leads, in the other tabs. */
export function showConnection(ctx: Context, connection: ConnectionState): void {
  const { status, error } = ctx.sync.connection;
  if (status === connection.status && error === connection.error) return;
  ctx.sync.connection = connection;
  if (ctx.sync.state.epoch !== undefined) postConnection(ctx, connection);
  ctx.emit('connection', connection);
}
