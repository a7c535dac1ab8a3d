import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { FloodOrder, FloodStatuses } from './flood-client.ts';

const CLIENT = path.join(import.meta.dirname, 'flood-client.ts');
const AT_ONCE = 50;

export type Flood = {
  port: number;
  /** The head of the request without its protocol and Host, such as `GET /ping`, and further header lines. */
  request: readonly [start: string, ...headers: string[]];
  /** How many requests that is, if several. */
  size?: number;
  body?: string;
  requests: number;
  /** Whether each request has a connection of its own. */
  isAlone?: boolean;
};

export type FloodCost = {
  /** Processor time of this process for one request. Microseconds. */
  microseconds: number;
  statuses: Readonly<FloodStatuses>;
};

export type Flooder = {
  /** Floods a server of this process, and says what a request costs. */
  costOf(flood: Flood): Promise<FloodCost>;
  stop(): void;
};

/** Starts the process that sends. */
export function startFlooder(): Flooder {
  const client = fork(CLIENT, { execArgv: [] });
  return {
    async costOf({ port, request, size = 1, body = '', requests: least, isAlone = false }) {
      const [start, ...headers] = request;
      const lines = [`${start} HTTP/1.1`, 'Host: localhost', ...headers];
      if (body !== '') lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
      const text = `${lines.join('\r\n')}\r\n\r\n${body}`;
      const requests = Math.ceil(least / size) * size;
      const atOnce = isAlone ? 1 : Math.max(AT_ONCE, size);
      const order: FloodOrder = { port, request: text, size, requests, atOnce };
      const answered = once(client, 'message');
      const before = process.cpuUsage();
      client.send(order);
      const [statuses] = (await answered) as [FloodStatuses];
      const { user, system } = process.cpuUsage(before);
      return { microseconds: (user + system) / requests, statuses };
    },
    stop: () => void client.kill(),
  };
}
