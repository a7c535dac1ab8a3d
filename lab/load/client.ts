import { Agent } from 'node:http';
import { request } from 'node:http';
import { openSocket, type Subprotocol } from '../../test/support/socket.ts';
import { MEDIA_TYPE } from '../../test/support/http.ts';

/** A REST client that costs as little as possible, so that the server is what is measured. */
export const createRest = (baseUrl: string, connections: number) => {
  const { hostname, port } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return (method: string, path: string, authorization: string, body?: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers: Record<string, string | number> = { accept: MEDIA_TYPE, authorization };
      if (body !== undefined)
        Object.assign(headers, {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        });
      const req = request({ agent, hostname, port, method, path, headers }, (res) => {
        let text = '';
        res.setEncoding('utf8');
        res.on('data', (chunk: string) => (text += chunk));
        res.on('end', () =>
          (res.statusCode ?? 500) < 300 ? resolve(text) : reject(new Error(`${res.statusCode}: ${text}`)),
        );
      });
      req.on('error', reject);
      req.end(body);
    });
};

export type BenchSocket = {
  request(method: string, objectId: string, data: string): Promise<string>;
  /** Sends a signal, which has no response. */
  signal(body: string): void;
  onPacket(listener: (text: string) => void): void;
  /** Bytes of the packets that have come. */
  bytes(): number;
  close(): void;
};

const requestId = /"request_id":"(\d+)"/;

/** A socket that looks for responses by text alone; parsing JSON would measure the client. */
export const connectBench = async (
  baseUrl: string,
  token: string,
  subprotocol: Subprotocol = 'svc-3.0',
): Promise<BenchSocket> => {
  const url = `${baseUrl.replace(/^http/, 'ws')}/websocket?session_token=${token}`;
  const socket = openSocket(url, [subprotocol]);
  let bytes = 0;
  const waiting = new Map<string, { resolve(text: string): void; reject(error: Error): void }>();
  const listeners: ((text: string) => void)[] = [];
  let last = 0;
  socket.on('message', (data) => {
    bytes += (data as Buffer).length;
    const text = (data as Buffer).toString();
    for (const listener of listeners) listener(text);
    if (!text.startsWith('{"type":"response"')) return;
    const id = requestId.exec(text)?.[1] ?? '';
    const call = waiting.get(id);
    waiting.delete(id);
    if (text.includes('"success":true')) call?.resolve(text);
    else call?.reject(new Error(text));
  });
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  return {
    request: (method, objectId, data) =>
      new Promise((resolve, reject) => {
        const id = String(++last);
        waiting.set(id, { resolve, reject });
        socket.send(
          `{"type":"request","body":{"request_id":"${id}","method":"${method}","object_id":"${objectId}","data":${data}}}`,
        );
      }),
    signal: (body) => socket.send(`{"type":"signal","body":${body}}`),
    onPacket: (listener) => void listeners.push(listener),
    bytes: () => bytes,
    close: () => socket.close(),
  };
};
