import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';

export type Upgraded = { status: number; headers: IncomingMessage['headers']; socket: WebSocket };

/** Asks for a socket, with the token of a session or none; the status is 101 when it opens. */
export async function upgrade(
  baseUrl: string,
  token: string | undefined,
  headers: Record<string, string> = {},
): Promise<Upgraded> {
  const url = `${baseUrl.replace('http', 'ws')}/websocket${token === undefined ? '' : `?session_token=${token}`}`;
  const socket = new WebSocket(url, 'svc-3.0', { headers });
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve({ status: 101, headers: {}, socket }));
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, socket });
    });
    socket.on('error', reject);
  });
}

/** The status of the HTTP answer to an upgrade with these headers alone, which is refused. */
export async function refusedUpgrade(
  baseUrl: string,
  headers: Record<string, string>,
): Promise<number | undefined> {
  const asked = request(`${baseUrl}/websocket`, { headers, agent: false }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

/** Resolves when the gateway has closed its side as well. */
export async function close({ socket }: Upgraded): Promise<void> {
  if (socket.readyState !== WebSocket.OPEN) return;
  const closed = once(socket, 'close');
  socket.close();
  await closed;
}
