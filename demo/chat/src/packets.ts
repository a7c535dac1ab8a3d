import type { WebSocketConstructor } from '@parley/client';

/** A packet of the WebSocket, decoded. */
export type Packet = {
  readonly id: number;
  readonly at: Date;
  readonly isSent: boolean;
  /** What it says, in a few words. */
  readonly title: string;
  readonly json: string;
};

/** The newest packets first, as `useSyncExternalStore` reads them. */
export type PacketLog = {
  getSnapshot(): readonly Packet[];
  subscribe(changed: () => void): () => void;
  add(data: unknown, isSent: boolean): void;
};

const KEPT = 100;

export function createPacketLog(): PacketLog {
  const listeners = new Set<() => void>();
  let packets: readonly Packet[] = [];
  let count = 0;
  return {
    getSnapshot: () => packets,
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    add(data, isSent) {
      packets = [decode(String(data), { id: ++count, isSent }), ...packets.slice(0, KEPT - 1)];
      for (const changed of listeners) changed();
    },
  };
}

/** A WebSocket that also writes down what passes, for `createClient`. */
export function watchedSocket(add: PacketLog['add']): WebSocketConstructor {
  class WatchedSocket extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols);
      this.addEventListener('message', ({ data }) => add(data, false));
    }
    override send(data: string): void {
      add(data, true);
      super.send(data);
    }
  }
  return WatchedSocket;
}

type Decoded = { type: string; body?: Body };
type Body = {
  operation?: string;
  method?: string;
  type?: string;
  object?: { type?: string };
  data?: { action?: string };
  success?: boolean;
};

function decode(data: string, { id, isSent }: Pick<Packet, 'id' | 'isSent'>): Packet {
  const packet = JSON.parse(data) as Decoded;
  return { id, isSent, at: new Date(), title: titleOf(packet), json: JSON.stringify(packet, null, 2) };
}

function titleOf({ type, body = {} }: Decoded): string {
  const words = [type, body.operation, body.object?.type, body.method, body.type, body.data?.action];
  return words.filter((word) => typeof word === 'string').join(' ');
}
