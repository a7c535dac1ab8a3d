import { createServer } from 'node:net';

const lowest = 20_000;
const highest = 32_000;

// A TCP port that nothing listens on. It is taken from below the range that the system uses for outgoing connections:
// a server that restarts on its old port finds it free, and a client that retries never connects to itself.
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (await isPortFree(port, host)) return port;
  }
  throw new Error(`no free TCP port between ${lowest} and ${highest}`);
}

export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await tryPort(port, host)) === undefined;
}

// The error code of listening there: EADDRINUSE, EACCES and so on; undefined when it works.
export function tryPort(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
