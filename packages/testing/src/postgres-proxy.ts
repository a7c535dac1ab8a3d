import { addressOf, openProxy, type Ends, type TcpProxy } from './tcp-proxy.ts';

/**
 * The moment at which a connection ends while a transaction is committed: the client's last bytes do not arrive; they arrive, and the connection ends at once; or the server has committed, and its answer is lost.
 */
export type Seam = 'unsent' | 'torn' | 'unanswered';

export const SEAMS: readonly Seam[] = ['unsent', 'torn', 'unanswered'];

/** Stands between processes and Postgres: can reset a connection at the end of a chosen transaction. */
export type PostgresProxy = TcpProxy & {
  /**
   * Resets the connection at the end of the next transaction, or statement outside of one, that sends the text `marker`; `skip`: so many
   * of them go on before.
   */
  resetAt(seam: Seam, marker: string, skip?: number): void;
  /** Forgets what was asked for and has not happened. */
  disarm(): void;
  /** How many connections were reset so. */
  readonly resets: number;
};

type Trap = { seam: Seam; marker: string; skip: number };

/** The last message of an answer, without the byte that says whether a transaction is open. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);
const NO_TRANSACTION = 'I'.charCodeAt(0);

/** A proxy of one server, which speaks without TLS. */
export async function startPostgresProxy(serverUrl: string): Promise<PostgresProxy> {
  const upstream = new URL(serverUrl);
  let trap: Trap | undefined;
  let resets = 0;

  /** The trap that these bytes spring; undefined: none. */
  function spring(bytes: Buffer): Trap | undefined {
    if (!trap || !bytes.includes(trap.marker)) return undefined;
    if (trap.skip-- > 0) return undefined;
    const sprung = trap;
    trap = undefined;
    return sprung;
  }

  const { port, ...proxy } = await openProxy({
    server: () => upstream,
    connect: (ends) => relay(ends, spring, () => resets++),
  });
  return {
    ...proxy,
    url: addressOf(serverUrl, port),
    resetAt: (seam, marker, skip = 0) => void (trap = { seam, marker, skip }),
    disarm: () => void (trap = undefined),
    get resets() {
      return resets;
    },
  };
}

/**
 * Relays messages; both sides write one of a few kilobytes in one piece, which arrives so. A marker, or a commit, that is nevertheless cut in two
 * is missed, and the connection goes on.
 */
function relay(ends: Ends, spring: (bytes: Buffer) => Trap | undefined, count: () => void): void {
  const { fromClient, toServer, fromServer, toClient } = ends;
  let inTransaction = false;
  let sprung: Trap | undefined;
  let isOver = false;

  function end(): void {
    count();
    ends.reset();
  }

  fromClient.on('data', (bytes: Buffer) => {
    sprung ??= spring(bytes);
    const commits = bytes.includes('commit') || (!inTransaction && !bytes.includes('begin'));
    if (!sprung || !commits) return void toServer.write(bytes);
    if (sprung.seam !== 'unsent') toServer.write(bytes);
    if (sprung.seam !== 'unanswered') return end();
    isOver = true;
  });
  fromServer.on('data', (bytes: Buffer) => {
    const isReady = bytes.length > READY.length && bytes.subarray(-1 - READY.length, -1).equals(READY);
    if (isReady) inTransaction = bytes.at(-1) !== NO_TRANSACTION;
    if (isOver && isReady) return end();
    if (isReady && !inTransaction) sprung = undefined;
    if (!isOver) toClient.write(bytes);
  });
}
