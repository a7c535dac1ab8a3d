import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CLIENT = path.join(import.meta.dirname, 'flood-client.ts');
const AT_ONCE = 50;
const WARM_UP = 100;
const WITHIN_MS = 60_000;

export type Flood = {
  port: number;
  /** The head of the request without its protocol and Host, such as `GET /ping`, and further header lines. */
  request: readonly [start: string, ...headers: string[]];
  body?: string;
  requests: number;
  /** Whether each request has a connection of its own. */
  isAlone?: boolean;
};

export type FloodCost = {
  /** Processor time of this process for one request. Microseconds. */
  microseconds: number;
  /** How often each status was answered. */
  statuses: Readonly<Record<string, number>>;
};

/** Floods a server of this process from another one, and says what a request costs. */
export async function costOfFlood({ port, request, body = '', requests, isAlone }: Flood): Promise<FloodCost> {
  const [start, ...headers] = request;
  const lines = [`${start} HTTP/1.1`, 'Host: localhost', ...headers];
  if (body !== '') lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  const text = `${lines.join('\r\n')}\r\n\r\n${body}`;
  const send = (count: number) =>
    run(process.execPath, [CLIENT, String(port), String(count), String(isAlone ? 1 : AT_ONCE), text], {
      timeout: WITHIN_MS,
    });
  await send(WARM_UP);
  const before = process.cpuUsage();
  const { stdout } = await send(requests);
  const { user, system } = process.cpuUsage(before);
  return { microseconds: (user + system) / requests, statuses: JSON.parse(stdout) as Record<string, number> };
}
