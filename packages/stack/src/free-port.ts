import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { claimPort } from './port-claims.ts';

const PORT_COUNT = 12_000;

/**
 * An unused TCP port that no other call, in any process of this user, returns for as long as this process lives. It is even,
 * and the odd port after it is never returned, for callers that need two consecutive ports.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const lowest = lowestPort();
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = lowest + 2 * Math.floor((Math.random() * PORT_COUNT) / 2);
    if (claimPort(port) && (await isPortFree(port, host)) && (await isPortFree(port + 1, host))) return port;
  }
  throw new Error(`no free TCP port between ${lowest} and ${lowest + PORT_COUNT}`);
}

// Below the range that the system uses for outgoing connections, and for port 0: a server that restarts on its old port
// finds it free, and a client that retries never connects to itself.
function lowestPort(): number {
  const outgoing = firstOutgoingPort();
  const end = outgoing > PORT_COUNT + 1024 ? Math.min(outgoing, 32_000) : 32_000;
  return 2 * Math.floor((end - PORT_COUNT) / 2);
}

function firstOutgoingPort(): number {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/)[0]);
  } catch {
    return 49_152;
  }
}

export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await tryPort(port, host)) === undefined;
}

/** The error code of listening on the port, such as EADDRINUSE or EACCES; undefined when it works. */
export function tryPort(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
