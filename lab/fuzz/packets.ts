import { once } from 'node:events';
import type { WebSocket } from 'ws';
import { openSocket } from '../../test/support/socket.ts';
import { until } from '../../test/support/until.ts';
import { normalize } from './answers.ts';
import type { Noted } from './run.ts';

type Body = { request_id: unknown; success: boolean; data: { id?: unknown } | null };

/** Codes that the platform closes a socket with for what a client sent. */
const EXPECTED_CLOSES = new Set([1003, 1007, 1009]);
const PROBE = 'probe ';
const ANSWER_WITHIN_MS = 20_000;
/** How long an answer to the packet itself is waited for after the probe's, where answers are logged: a signal has none. */
const OWN_ANSWER_WITHIN_MS = 100;

/** Sends packets one after the other, each followed by a request that has to be answered. */
export type PacketSender = {
  /** Finds a fault in the handling of the packet; undefined: there is none. */
  findFault(packet: string): Promise<string | undefined>;
  close(): void;
};

export function createPacketSender({ platform, actor, note, hear: told }: Noted): PacketSender {
  const url = `${platform.baseUrl.replace(/^http/, 'ws')}/websocket?session_token=${actor.token}`;
  let socket: WebSocket | undefined;
  let closed: number | undefined;
  let fault: string | undefined;
  const answered = new Set<string>();
  let probes = 0;
  let ownAnswers = 0;

  async function open(): Promise<WebSocket> {
    const opened = openSocket(url);
    closed = undefined;
    opened.on('message', (data) => hear((data as Buffer).toString()));
    opened
      .on('close', (code) => {
        note(`closed ${(closed = code)}`);
        told?.(`closed ${code}`);
      })
      .on('error', () => undefined);
    await Promise.race([once(opened, 'open'), once(opened, 'close')]);
    if (closed !== undefined) throw new Error(`the socket was refused: ${closed}`);
    return opened;
  }

  /** A gateway that has ended is started again: that it ended is the fault of the packet before. */
  function reopen(): Promise<WebSocket> {
    return until('a socket opens', () => open().catch(() => undefined), ANSWER_WITHIN_MS);
  }

  function hear(text: string): void {
    const { type, body } = JSON.parse(text) as { type: string; body: Body };
    if (type !== 'response') return;
    const id = typeof body.request_id === 'string' ? body.request_id : '';
    answered.add(id);
    if (!id.startsWith(PROBE)) {
      ownAnswers += 1;
      told?.(normalize(text));
      note(body.success ? 'success' : `refused ${String(body.data?.id)}`);
    }
    if (body.data?.id === 'internal_server_error') fault ??= `answered ${text.slice(0, 500)}`;
  }

  return {
    async findFault(packet) {
      if (!socket || closed !== undefined) socket = await reopen();
      const probe = `${PROBE}${(probes += 1)}`;
      const before = ownAnswers;
      socket.send(packet);
      socket.send(JSON.stringify({ type: 'request', body: { request_id: probe, method: 'Counter.read' } }));
      const isOver = () => answered.delete(probe) || closed !== undefined || undefined;
      await until('the socket answers', isOver, ANSWER_WITHIN_MS).catch(
        (error: unknown) => (fault ??= String(error)),
      );
      const isAnswered = () => ownAnswers > before || closed !== undefined || undefined;
      if (told)
        await until('the packet is answered', isAnswered, OWN_ANSWER_WITHIN_MS).catch(() => undefined);
      if (closed !== undefined && !EXPECTED_CLOSES.has(closed)) fault ??= `closed with ${closed}`;
      const found = fault;
      fault = undefined;
      return found;
    },
    close: () => socket?.terminate(),
  };
}
