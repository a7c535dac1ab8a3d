import type { Readable, Writable } from 'node:stream';
import { openProxy, type TcpProxy } from './tcp-proxy.ts';

/** Stands between processes and NATS: can lose single messages on their way to a process, and all of NATS. */
export type NatsProxy = Omit<TcpProxy, 'stall'> & {
  /** Sets the server; until then connections are refused, as by a server that is not up yet. */
  connectTo(natsUrl: string): void;
  /** Loses the next message to any process whose subject matches. */
  loseNext(subject: RegExp): void;
  /** How many messages were lost. */
  readonly lost: number;
};

export async function startNatsProxy(): Promise<NatsProxy> {
  let upstream: URL | undefined;
  let unwanted: RegExp | undefined;
  let lost = 0;

  function isLost(subject: string): boolean {
    if (!unwanted?.test(subject)) return false;
    unwanted = undefined;
    lost += 1;
    return true;
  }

  const { port, cut, restore, swallow, delay, stop } = await openProxy({
    server: () => upstream,
    connect: ({ fromClient, toServer, fromServer, toClient }) => {
      fromClient.pipe(toServer);
      relay(fromServer, toClient, isLost);
    },
  });
  return {
    url: `nats://127.0.0.1:${port}`,
    connectTo: (natsUrl) => void (upstream = new URL(natsUrl)),
    loseNext: (subject) => void (unwanted = subject),
    get lost() {
      return lost;
    },
    cut,
    restore,
    swallow,
    delay,
    stop,
  };
}

/** Passes the server's protocol lines on, each message whole or not at all. */
function relay(from: Readable, to: Writable, isLost: (subject: string) => boolean): void {
  let pending = Buffer.alloc(0);
  from.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    for (let end = pending.indexOf('\r\n'); end >= 0; end = pending.indexOf('\r\n')) {
      const words = pending.subarray(0, end).toString().split(' ');
      const isMessage = words[0] === 'MSG' || words[0] === 'HMSG';
      const size = end + 2 + (isMessage ? Number(words.at(-1)) + 2 : 0);
      if (pending.length < size) return;
      if (!isMessage || !isLost(words[1] ?? '')) to.write(pending.subarray(0, size));
      pending = pending.subarray(size);
    }
  });
}
