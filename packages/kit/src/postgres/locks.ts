import type { Socket } from 'node:net';
import pg from 'pg';
import { startTimeout } from '../runtime/clock/index.ts';
import type { Logger } from '../runtime/telemetry/log.ts';

/** A lock that one session in the whole database holds, until it is released or the session's connection ends. */
export type Lock = {
  /**
   * Asks the server, so that a lock lost with its connection is noticed before the work begins. All locks of a process are of one
   * connection: an answer that another one has had within the last second is an answer for this one.
   */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
};

/** That the connection of the locks was there; `at`: milliseconds of this process's clock. */
type Proof = { at: number; yes: Promise<boolean> };

export type Locks = { tryLock(name: string): Promise<Lock | undefined>; close(): Promise<void> };

/** A server that does not confirm the end of the connection within this time is considered lost. Milliseconds. */
const END_WITHIN_MS = 1000;
/** Milliseconds. */
const PROVEN_FOR_MS = 1000;
const LOCK_KEY_SQL = 'hashtextextended($1, 0)';

/**
 * Advisory locks by name. All of them are held by one connection outside the pool, opened for the first lock and again after a loss. Two
 * holders within one process exclude each other, too. `cell`: prefixes the locks of a cell with its name, since names of Postgres' locks
 * apply to the whole database.
 */
export function createLocks(config: pg.ClientConfig, log: Logger, cell?: string): Locks {
  const fullName = (name: string): string => (cell === undefined ? name : `${cell} ${name}`);
  const held = new Map<string, symbol>();
  let session: Promise<pg.Client> | undefined;
  const proofs = createProofs(() => ask('select true as yes', []).catch(() => false));

  async function open(): Promise<pg.Client> {
    const client = new pg.Client(config);
    const lose = (): void => {
      held.clear();
      session = undefined;
      proofs.forget();
    };
    client.on('error', (error) => log.warn({ error }, 'advisory lock connection lost; will reconnect'));
    client.once('end', lose);
    await client.connect().catch((error: unknown) => {
      // The connection ends later, when another one may hold locks.
      client.off('end', lose);
      lose();
      throw error;
    });
    return client;
  }

  async function ask(text: string, values: unknown[]): Promise<boolean> {
    const client = await (session ??= open());
    const { rows } = await client.query<{ yes: boolean }>({ text, values });
    return rows[0]?.yes === true;
  }

  return {
    async tryLock(name) {
      if (held.has(name)) return undefined;
      const token = Symbol(name);
      held.set(name, token);
      const forget = (): boolean => held.get(name) === token && held.delete(name);
      const got = await ask(`select pg_try_advisory_lock(${LOCK_KEY_SQL}) as yes`, [fullName(name)]).catch(
        () => false,
      );
      if (held.get(name) !== token || !got) return void forget();
      let proof: Proof | undefined;
      return {
        async isHeld() {
          if (held.get(name) !== token) return false;
          proof = proofs.next(proof);
          return (await proof.yes) && held.get(name) === token;
        },
        async release() {
          if (forget())
            await ask(`select pg_advisory_unlock(${LOCK_KEY_SQL}) as yes`, [fullName(name)]).catch(
              () => false,
            );
        },
      };
    },
    async close() {
      const client = await session?.catch(() => undefined);
      held.clear();
      if (client) await end(client);
    },
  };
}

function createProofs(prove: () => Promise<boolean>) {
  let latest: Proof | undefined;
  return {
    forget: () => void (latest = undefined),
    /** `last`: the proof that a lock has had its answer from before, which is no news to it. */
    next(last: Proof | undefined): Proof {
      const now = performance.now();
      if (!latest || latest === last || now - latest.at >= PROVEN_FOR_MS) latest = { at: now, yes: prove() };
      return latest;
    },
  };
}

async function end(client: pg.Client): Promise<void> {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const cancelTimer = startTimeout(END_WITHIN_MS, () => stream.destroy());
  try {
    await client.end();
  } finally {
    cancelTimer();
  }
}
