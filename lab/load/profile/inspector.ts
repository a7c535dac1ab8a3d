import { WebSocket } from 'ws';
import type { CpuProfile } from './self-times.ts';

type Answer = {
  id: number;
  result?: { profile?: CpuProfile; usedSize?: number };
  error?: { message: string };
};

/** A connection to the inspector of a Node process. */
export type Inspector = {
  /** Rejects with the inspector's own error. */
  call(method: string, params?: object): Promise<NonNullable<Answer['result']>>;
  close(): void;
};

/** Connects to the inspector that a process of this machine opened on a port. */
export async function connectInspector(port: number): Promise<Inspector> {
  const response = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
  if (!target) throw new Error(`port ${port} has no inspector`);
  const socket = new WebSocket(target.webSocketDebuggerUrl, {
    perMessageDeflate: false,
    maxPayload: 2 ** 30,
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  socket.on('message', (data) => {
    const answer = JSON.parse((data as Buffer).toString()) as Answer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return {
    async call(method, params = {}) {
      const id = ++last;
      const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
      socket.send(JSON.stringify({ id, method, params }));
      const { result = {}, error } = await answered;
      if (error) throw new Error(`${method}: ${error.message}`);
      return result;
    },
    close: () => socket.close(),
  };
}
