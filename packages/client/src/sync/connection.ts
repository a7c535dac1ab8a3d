import { ParleyError } from '../errors.ts';
import { backoff } from '../connection/waiting.ts';
import { Socket, type Hello } from '../connection/socket.ts';
import { doneOperations, dropConfirmed, processPending } from '../pending/process.ts';
import { transact } from './transact.ts';
import { resyncAll } from './full-resync.ts';
import { createApplier, CURSOR, type Applier } from './applier.ts';
import { setConnection, type Context } from './context.ts';
import { refetchMarked } from './refetch.ts';
import { applyEphemeralChange, type EphemeralChange } from './ephemeral-state.ts';
import { isEqual, type Change, type Step } from '../records/records.ts';

type End = {
  readonly code: number;
  readonly reason: string;
  readonly wasOnline: boolean;
  readonly error?: unknown;
};

/** Where the user's own identity is kept, as the last `hello` showed it. */
export const SELF = 'self';

/** Keeps one connection while this client leads: connects, catches up, and again after each end. */
export async function keepConnected(ctx: Context, epoch: number, signal: AbortSignal): Promise<void> {
  for (let tries = 0; !signal.aborted;) {
    setConnection(ctx, { status: 'connecting', error: undefined });
    const end = await connect(ctx, epoch, signal);
    if (signal.aborted) return;
    const error = end.error instanceof ParleyError ? end.error : undefined;
    ctx.diagnose('socket_closed', { code: end.code, reason: end.reason });
    if (error?.id === 'other_user') {
      setConnection(ctx, { status: 'stopped', error });
      return;
    }
    setConnection(ctx, { status: 'offline', error });
    tries = triesAfter(tries, end);
    // The gateway stops: another one is there already.
    const isReplaced = end.code === 1012 && end.wasOnline;
    await ctx.waiting.wait(
      isReplaced ? Math.random() * ctx.retry.first : backoff(Math.max(tries, 1), ctx.retry),
      signal,
    );
  }
}

/** The failed tries, after the end of a connection. One that the gateway closed since it got too many packets is a failed one. */
export function triesAfter(tries: number, { code, wasOnline }: Pick<End, 'code' | 'wasOnline'>): number {
  return wasOnline && code !== 4429 ? 0 : tries + 1;
}

async function connect(ctx: Context, epoch: number, signal: AbortSignal): Promise<End> {
  let token: string;
  try {
    token = await ctx.session.token();
  } catch (error) {
    return { code: 0, reason: 'no session', wasOnline: false, error };
  }
  if (signal.aborted) return { code: 0, reason: '', wasOnline: false };
  const { promise, resolve } = Promise.withResolvers<End>();
  const link = new Link(ctx, epoch);
  const url = `${ctx.http.url.replace(/^http/, 'ws')}/websocket`;
  const protocols = [`${ctx.wire}-3.1`, `${ctx.wire}-token.${token}`];
  const socket = new Socket(
    ctx.WebSocket,
    { url, protocols },
    {
      hello: (hello) => link.hello(hello),
      change: (change, timestamp) => link.change(change, timestamp),
      signal: (body) => showEphemeralChange(ctx, typingOf(body)),
      gap: () => link.gap(),
      problem: ctx.diagnose,
      closed({ code, reason }) {
        if (code === 4401) ctx.session.ended(token);
        if (ctx.socket === socket) ctx.socket = undefined;
        ctx.isReplaying = false;
        resolve({ code, reason, wasOnline: link.isOnline, error: link.error });
      },
    },
  );
  link.socket = socket;
  ctx.socket = socket;
  const stop = (): void => socket.close();
  signal.addEventListener('abort', stop, { once: true });
  const end = await promise;
  signal.removeEventListener('abort', stop);
  await link.applier.idle().catch(() => undefined);
  return end;
}

/** What one connection has come to. */
class Link {
  socket: Socket | undefined;
  /** It caught up once. */
  isOnline = false;
  error: unknown;
  readonly applier: Applier;
  readonly #ctx: Context;
  readonly #epoch: number;
  #greeting: Hello | undefined;
  /** What was done before the connection, whose packets are those of the replay. */
  #done: readonly string[] = [];
  #isInStep = false;
  #isWorking = false;
  #isAgain = false;

  constructor(ctx: Context, epoch: number) {
    this.#ctx = ctx;
    this.#epoch = epoch;
    this.applier = createApplier(ctx, epoch, (error) => this.#fail(error));
  }

  hello(hello: Hello): void {
    const { userId, emit } = this.#ctx;
    const found = hello.user.user_id;
    if (found !== userId) {
      emit('otherUser', { expected: userId, found });
      this.#fail(new ParleyError({ id: 'other_user', message: `The session is of ${found}.` }));
      return;
    }
    this.#greeting = hello;
    this.#done = doneOperations(this.#ctx);
    keepSelf(this.#ctx, this.#epoch, hello.user);
    void this.#catchUp(hello);
  }

  change(change: Change, timestamp: string): void {
    showEphemeralChange(this.#ctx, presenceOf(change));
    this.applier.add({ change, timestamp }, this.#isInStep ? timestamp : undefined);
  }

  gap(): void {
    this.#isInStep = false;
    if (this.#greeting) void this.#catchUp(this.#greeting);
  }

  #fail(error: unknown): void {
    this.error = error;
    this.socket?.close();
  }

  async #catchUp(hello: Hello): Promise<void> {
    this.#isAgain = true;
    if (this.#isWorking) return;
    this.#isWorking = true;
    this.#isInStep = false;
    try {
      while (this.#isAgain) {
        this.#isAgain = false;
        await synchronise(this.#ctx, this.#epoch, { link: this, hello });
      }
      this.#isInStep = true;
      this.#online();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isWorking = false;
    }
  }

  #online(): void {
    const ctx = this.#ctx;
    this.isOnline = true;
    setConnection(ctx, { status: 'online', error: undefined });
    watchPresence(ctx, this.socket);
    ctx.waiting.wake();
    void dropConfirmed(ctx, this.#epoch, this.#done);
    processPending(ctx);
    void refetchMarked(ctx, this.#epoch);
  }
}

/** Brings the records up to date: by a replay, or anew where there is no cursor or the log does not reach back that far. */
async function synchronise(
  ctx: Context,
  epoch: number,
  { link, hello }: { link: Link; hello: Hello },
): Promise<void> {
  await link.applier.idle();
  const cursor = ctx.records.values.get(CURSOR) as string | undefined;
  const isComplete = cursor !== undefined && (await replay(ctx, { link, hello, cursor }));
  await link.applier.idle();
  if (!isComplete) await resyncAll(ctx, epoch);
  link.applier.add(undefined, hello.server_time);
  await link.applier.idle();
}

/** No packet says that the user has another name; each connection does. */
function keepSelf(ctx: Context, epoch: number, user: Hello['user']): void {
  if (isEqual(ctx.records.values.get(SELF), user)) return;
  transact(ctx, (batch) => batch.setValue(SELF, user), { epoch }).catch(() => undefined);
}

const DEFAULT_OVERLAP_SECONDS = 30;

async function replay(
  ctx: Context,
  { link, hello, cursor }: { link: Link; hello: Hello; cursor: string },
): Promise<boolean> {
  const overlap = Number(hello.limits['replay_overlap_in_seconds'] ?? DEFAULT_OVERLAP_SECONDS);
  const from_timestamp = new Date(Date.parse(cursor) - overlap * 1000).toISOString();
  ctx.isReplaying = true;
  let complete: boolean;
  try {
    const result = await link.socket?.request('Event.replay', { data: { from_timestamp } });
    ({ complete } = result as { complete: boolean });
    await link.applier.idle();
  } finally {
    ctx.isReplaying = false;
    ctx.changed([], false);
  }
  ctx.diagnose('replayed', { from: from_timestamp, complete });
  return complete;
}

/** Subscribes to the presence of the users whose presence is shown, and reads it. */
export function watchPresence(ctx: Context, socket: Socket | undefined, some?: readonly string[]): void {
  const ids = some ?? [...ctx.ephemeral.watched.keys()];
  if (!socket || ids.length === 0) return;
  const request = async (): Promise<void> => {
    await socket.request('Presence.subscribe', { data: { ids } });
    const { changes } = (await socket.request('Presence.sync', { data: { ids } })) as { changes: Change[] };
    for (const change of changes) {
      const ephemeral = presenceOf(change);
      if (ephemeral) showEphemeralChange(ctx, ephemeral);
    }
  };
  request().catch((error: unknown) => ctx.diagnose('presence_unknown', { reason: String(error) }));
}

function presenceOf(change: Change): EphemeralChange | undefined {
  if ('method' in change || change.object.type !== 'Identity' || change.operation !== 'update')
    return undefined;
  const steps = change.data.filter(({ property }: Step) => property.startsWith('presence.'));
  return steps.length > 0 ? { kind: 'presence', identity: change.object.id, steps } : undefined;
}

type TypingBody = {
  type: string;
  object: { id: string };
  data: { action: string; sender: { id: string } };
};

function typingOf(body: unknown): EphemeralChange | undefined {
  const { type, object, data } = body as TypingBody;
  if (type !== 'typing_indicator') return undefined;
  const isTyping = data.action === 'started';
  return { kind: 'typing', conversation: object.id, identity: data.sender.id, isTyping };
}

/** Shows it here and in the other tabs. */
export function showEphemeralChange(ctx: Context, message: EphemeralChange | undefined): void {
  if (!message) return;
  applyEphemeralChange(ctx.ephemeral, message);
  ctx.coordinator.post(message);
  ctx.changed([], false);
}
