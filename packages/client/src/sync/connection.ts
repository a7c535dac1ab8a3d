import { backoff } from '../connection/waiting.ts';
import { Socket, type Hello } from '../connection/socket.ts';
import { ParleyError } from '../errors.ts';
import { valueOf } from '../records/in-memory.ts';
import { isEqual } from '../records/records.ts';
import { CURSOR, FEATURES, SELF } from '../records/rows.ts';
import { createApplier, type Applier } from './applier.ts';
import type { Context } from './context.ts';
import { showPresence, showTyping, watchPresence } from './ephemeral-state.ts';
import { resyncAll } from './full-resync.ts';
import { refetchMarked } from './refetch.ts';
import { moveTo, type Connected } from './state.ts';
import { transact } from './transact.ts';

type End = {
  readonly code: number;
  readonly reason: string;
  readonly wasLive: boolean;
  readonly error?: unknown;
};

/** The epoch in which this client leads, and the controller that ends its connection. */
type Run = Pick<Connected, 'epoch' | 'run'>;

/** Keeps one connection while this client leads: connects, catches up, and again after each end. */
export async function keepConnected(ctx: Context, epoch: number): Promise<void> {
  const run = new AbortController();
  const { signal } = run;
  for (let tries = 0; !signal.aborted;) {
    moveTo(ctx, { name: 'loggingIn', epoch, run });
    const end = await connect(ctx, { epoch, run });
    if (signal.aborted) return;
    const { code, reason, wasLive } = end;
    const error = end.error instanceof ParleyError ? end.error : undefined;
    ctx.diagnose('socket_closed', { code, reason });
    const isStopped = error?.id === 'other_user';
    moveTo(ctx, { name: isStopped ? 'stopped' : 'waiting', epoch, run, error });
    if (isStopped) return;
    tries = triesAfter(tries, end);
    // The gateway stops: another one is there already.
    const isReplaced = code === 1012 && wasLive;
    await ctx.waiting.wait(
      isReplaced ? Math.random() * ctx.retry.first : backoff(Math.max(tries, 1), ctx.retry),
      signal,
    );
  }
}

/** The failed tries, after the end of a connection. One that the gateway closed since it got too many packets is a failed one. */
export function triesAfter(tries: number, { code, wasLive }: Pick<End, 'code' | 'wasLive'>): number {
  return wasLive && code !== 4429 ? 0 : tries + 1;
}

/** One connection, from the login to the end of the socket. */
async function connect(ctx: Context, { epoch, run }: Run): Promise<End> {
  let token: string;
  try {
    token = await ctx.session.token();
  } catch (error) {
    return { code: 0, reason: 'no session', wasLive: false, error };
  }
  if (run.signal.aborted) return { code: 0, reason: '', wasLive: false };
  const { promise, resolve } = Promise.withResolvers<End>();
  let error: unknown;
  let link: Link | undefined;
  function fail(cause: unknown): void {
    error = cause;
    socket.close();
  }
  const applier = createApplier(ctx, epoch, fail);
  const url = `${ctx.url.replace(/^http/, 'ws')}/websocket`;
  const protocols = [`${ctx.wire}-3.1`, `${ctx.wire}-token.${token}`];
  const socket = new Socket(
    ctx.WebSocket,
    { url, protocols },
    {
      hello(hello) {
        const { user_id: found } = hello.user;
        if (found !== ctx.userId) {
          ctx.emit('otherUser', { expected: ctx.userId, found });
          return fail(new ParleyError({ id: 'other_user', message: `The session is of ${found}.` }));
        }
        keepHello(ctx, epoch, hello);
        link = { applier, hello, fail, becameLive: ctx.listener.connected(ctx) };
        moveTo(ctx, { name: 'replaying', epoch, run, socket, wasLive: false });
        void catchUp(ctx, link);
      },
      change(change, timestamp) {
        showPresence(ctx, change);
        applier.add({ change, timestamp }, ctx.sync.state.name === 'live' ? timestamp : undefined);
      },
      signal: (signal) => showTyping(ctx, signal),
      gap: () => link && catchUpAgain(ctx, link),
      problem: ctx.diagnose,
      closed({ code, reason }) {
        if (code === 4401) ctx.session.ended(token);
        resolve({ code, reason, wasLive: ctx.sync.state.wasLive ?? false, error });
      },
    },
  );
  moveTo(ctx, { name: 'opening', epoch, run, socket });
  const end = await promise;
  await applier.idle().catch(() => undefined);
  return end;
}

/** The parts of a connection that catching up needs. */
type Link = {
  readonly applier: Applier;
  readonly hello: Hello;
  /** Ends the connection for a reason. */
  readonly fail: (error: unknown) => void;
  readonly becameLive: (epoch: number) => void;
};

/** Packets were lost: they come by a replay. One that is under way begins again at its end. */
function catchUpAgain(ctx: Context, link: Link): void {
  const { state } = ctx.sync;
  if (state.wasLive === undefined) return;
  moveTo(ctx, { ...state, name: 'replaying' });
  if (state.name === 'live') void catchUp(ctx, link);
}

/**
 * Brings the records up to date, and goes live: by a replay, or anew where there is no cursor or the log does not reach back that far.
 * Begins again if another gap has changed the state meanwhile, and stops if the connection has ended.
 */
async function catchUp(ctx: Context, { applier, hello, fail, becameLive }: Link): Promise<void> {
  let { state } = ctx.sync;
  const { socket } = state;
  try {
    while (state.wasLive !== undefined && state.socket === socket) {
      await applier.idle();
      let isComplete = await replay(ctx, state, { applier, hello });
      if (!isComplete && ctx.sync.state === state) {
        moveTo(ctx, (state = { ...state, name: 'resyncing' }));
        await resyncAll(ctx, state.epoch);
        isComplete = true;
      }
      if (isComplete) applier.add(undefined, hello.server_time);
      await applier.idle();
      if (ctx.sync.state === state) {
        moveTo(ctx, { ...state, name: 'live', wasLive: true });
        watchPresence(ctx, socket);
        ctx.waiting.wake();
        becameLive(state.epoch);
        void refetchMarked(ctx, state.epoch);
        return;
      }
      ({ state } = ctx.sync);
    }
  } catch (error) {
    fail(error);
  }
}

/** No packet says that the user has another name; each connection does. */
function keepHello(ctx: Context, epoch: number, { user, limits }: Hello): void {
  const features = limits['features'] as readonly string[] | undefined;
  const isSame =
    isEqual(valueOf(ctx.records, SELF), user) && isEqual(valueOf(ctx.records, FEATURES), features);
  if (isSame) return;
  transact(ctx, epoch, (batch) => {
    batch.setValue(SELF, user);
    batch.setValue(FEATURES, features);
  }).catch(() => undefined);
}

const DEFAULT_OVERLAP_SECONDS = 30;

/** Has the packets since the cursor sent again. Resolves with whether nothing is missing now. */
async function replay(
  ctx: Context,
  { socket }: Connected,
  { applier, hello }: Pick<Link, 'applier' | 'hello'>,
): Promise<boolean> {
  const cursor = valueOf(ctx.records, CURSOR);
  if (cursor === undefined) return false;
  const overlap = Number(hello.limits['replay_overlap_in_seconds'] ?? DEFAULT_OVERLAP_SECONDS);
  const from_timestamp = new Date(Date.parse(cursor) - overlap * 1000).toISOString();
  const { complete } = await socket.request<{ complete: boolean }>('Event.replay', { from_timestamp });
  await applier.idle();
  ctx.diagnose('replayed', { from: from_timestamp, complete });
  return complete;
}
