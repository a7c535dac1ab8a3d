import { createWatch, type Watch } from './watch.ts';
import { onLifecycle } from './lifecycle.ts';
import type { TabMessage } from './tab-message.ts';

/** One tab's part in choosing a leader. */
export type Election = {
  isLeader(): boolean;
  /** Another tab says that it leads in this epoch. Returns whether it is a new leader. */
  confirmByPacket(epoch: number): boolean;
  /** Says that this tab leads, if it does. */
  answer(): void;
  /** Takes part no more. */
  stop(): Promise<void>;
};

export type ElectionOptions = {
  readonly lockName: string;
  readonly locks: LockManager;
  readonly heartbeatMs: number;
  readonly silenceMs: number;
  send(message: TabMessage): void;
  /** Begins the next epoch. */
  claim(): Promise<number>;
  lead(epoch: number): void;
  follow(): void;
  /** The page was asleep, and runs again. */
  woke(): void;
};

type State = {
  /** The epoch in which this tab leads. */
  epoch: number | undefined;
  /** The latest epoch of another leader. */
  heard: number;
  /** Ends the request for the lock, or gives it back. */
  release: (() => void) | undefined;
  isStopped: boolean;
  /** Resolves when the lock has been given back. */
  held: Promise<void>;
};

export function createElection(options: ElectionOptions): Election {
  const state: State = {
    epoch: undefined,
    heard: 0,
    release: undefined,
    isStopped: false,
    held: Promise.resolve(),
  };
  const { heartbeatMs, silenceMs, send } = options;
  const answer = () => {
    if (state.epoch !== undefined) send({ kind: 'beat', epoch: state.epoch });
  };
  const watch = createWatch({
    silenceMs,
    ping: () => send({ kind: 'ping' }),
    takeOver: () => compete(state, options, watch, { steal: true }),
  });
  const heartbeat = setInterval(answer, heartbeatMs);
  // A frozen page keeps its lock; one that is about to be frozen can still give it back.
  const endLifecycle = onLifecycle({
    sleep: () => stepDown(state, options),
    wake() {
      options.woke();
      compete(state, options, watch);
    },
  });
  compete(state, options, watch);
  return {
    isLeader: () => state.epoch !== undefined,
    confirmByPacket(epoch) {
      const latest = Math.max(state.heard, state.epoch ?? 0);
      // A leader of an earlier epoch, which was asleep meanwhile, learns that it is none any more.
      if (epoch < latest) answer();
      else watch.sign();
      if (epoch <= latest) return false;
      state.heard = epoch;
      if (state.epoch !== undefined) lose(state, options, watch);
      return true;
    },
    answer,
    async stop() {
      state.isStopped = true;
      clearInterval(heartbeat);
      endLifecycle();
      watch.stop();
      stepDown(state, options);
      await state.held;
    },
  };
}

/** Waits for the lock, or takes it from its holder, and leads while it holds it. */
function compete(state: State, options: ElectionOptions, watch: Watch, { steal = false } = {}): void {
  if (state.isStopped || state.epoch !== undefined) return;
  state.release?.();
  const waiting = new AbortController();
  let giveBack: () => void = () => undefined;
  const returned = new Promise<void>((resolve) => (giveBack = resolve));
  state.release = () => {
    waiting.abort();
    giveBack();
  };
  const release = state.release;
  watch.start();
  state.held = options.locks
    .request(options.lockName, steal ? { steal } : { signal: waiting.signal }, async () => {
      if (state.release !== release) return;
      // From here on silence is this tab's own: taking over again would only drop the claim that is under way.
      watch.stop();
      const epoch = await options.claim();
      if (state.release !== release) return;
      state.epoch = epoch;
      options.send({ kind: 'beat', epoch });
      options.lead(epoch);
      await returned;
    })
    .catch(() => undefined)
    .then(() => {
      // Without a release it was another tab that took the lock, or the store that could not be asked.
      if (state.release === release) lose(state, options, watch);
    });
}

/** Another tab leads now: waits for the lock again. */
function lose(state: State, options: ElectionOptions, watch: Watch): void {
  stepDown(state, options);
  if (!state.isStopped) setTimeout(() => compete(state, options, watch), options.heartbeatMs);
}

/** Gives the lock back, or ends the wait for it. */
function stepDown(state: State, { follow }: ElectionOptions): void {
  const { release, epoch } = state;
  state.release = undefined;
  state.epoch = undefined;
  release?.();
  if (epoch !== undefined) follow();
}
