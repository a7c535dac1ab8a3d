import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between processes and NATS: can lose single messages on their way to a process, and all of NATS. */
export type NatsProxy = {
  url: string;
  /** Until this is called connections are refused, as by a server that is not up yet. */
  connectTo(natsUrl: string): void;
  /** Loses the next message to any process whose subject fits. */
  loseNext(subject: RegExp): void;
  readonly lost: number;
  /** Ends all connections, and refuses new ones until `restore`. */
  cut(): void;
  restore(): void;
  /** What is sent on the connections of now vanishes, in both directions; they stay open, and new ones work. */
  swallow(): void;
  stop(): Promise<void>;
};

export async function startNatsProxy(): Promise<NatsProxy> {
  const sockets = new Set<Socket>();
  let upstream: URL | undefined;
  let isCut = false;
  let unwanted: RegExp | undefined;
  let lost = 0;

  const isLost = (subject: string): boolean => {
    if (!unwanted?.test(subject)) return false;
    unwanted = undefined;
    lost += 1;
    return true;
  };

  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  };

  const server = createServer((client) => {
    if (!upstream || isCut) return void client.destroy();
    const nats = connect(Number(upstream.port), upstream.hostname);
    keep(client, nats);
    keep(nats, client);
    client.pipe(nats);
    relay(nats, client, isLost);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const endAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connectTo: (natsUrl) => void (upstream = new URL(natsUrl)),
    loseNext: (subject) => void (unwanted = subject),
    get lost() {
      return lost;
    },
    cut: () => {
      isCut = true;
      endAll();
    },
    restore: () => void (isCut = false),
    swallow: () => {
      // Neither end learns any more what becomes of the other.
      for (const socket of sockets) {
        socket
          .unpipe()
          .removeAllListeners()
          .on('error', () => undefined)
          .resume();
      }
    },
    stop: async () => {
      server.close();
      endAll();
      await once(server, 'close');
    },
  };
}

/** Passes the server's protocol lines on, each message whole or not at all. */
function relay(from: Socket, to: Socket, isLost: (subject: string) => boolean): void {
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
