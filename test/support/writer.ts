import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import type { TestUser } from './app.ts';
import type { Follower } from './follower.ts';
import { MEDIA_TYPE } from './http.ts';
import type { Json } from './json.ts';
import { textPart } from './app.ts';

/** The result of one attempt to send: the stored message, a need to retry, or a fault. */
type Outcome = { message: Json } | 'again' | { fault: string };
type Attempt = (id: string, conversation: { id: string; messages_url: string }) => Promise<Outcome>;

/** A user who sends one message after another, each until it is acknowledged. */
export type Writer = {
  /** Acknowledged messages in the order of sending. */
  readonly sent: readonly { id: string; conversationId: string; position: number }[];
  readonly faults: readonly string[];
  /** Resolves when the current message is acknowledged. */
  stop(): Promise<void>;
};

const RETRY_MS = 20;
const PAUSE_MS = 4;

/** Sends by REST. After a lost connection or a 503 it is unknown whether the message was stored, so the same id is sent again. */
export function byRest(user: TestUser): Attempt {
  return async (id, conversation) => {
    const headers = {
      accept: MEDIA_TYPE,
      'content-type': 'application/json',
      authorization: `Svc session-token="${user.token}"`,
    };
    const body = JSON.stringify({ id, parts: [textPart('under load')] });
    try {
      const answer = await request(conversation.messages_url, { method: 'POST', headers, body });
      const text = await answer.body.text();
      if (answer.statusCode === 201) return { message: JSON.parse(text) };
      if (answer.statusCode === 409) return { message: JSON.parse(text).data };
      return answer.statusCode === 503 ? 'again' : { fault: `${answer.statusCode} ${text}` };
    } catch {
      return 'again';
    }
  };
}

export function bySocket(follower: Follower): Attempt {
  return async (id, conversation) => {
    try {
      const data = { id, parts: [textPart('under load')] };
      const answer = await follower.request('Message.create', { object_id: conversation.id, data });
      if (answer.success) return { message: answer.data };
      if (answer.data.id === 'id_in_use') return { message: answer.data.data };
      return answer.data.id === 'service_unavailable' ? 'again' : { fault: JSON.stringify(answer) };
    } catch {
      return 'again';
    }
  };
}

export function write(
  attempt: Attempt,
  conversations: readonly { id: string; messages_url: string }[],
): Writer {
  const sent: { id: string; conversationId: string; position: number }[] = [];
  const faults: string[] = [];
  let stopped = false;

  const sendOne = async (conversation: { id: string; messages_url: string }): Promise<void> => {
    const id = randomUUID();
    for (;;) {
      const outcome = await attempt(id, conversation);
      if (outcome !== 'again' && 'message' in outcome) {
        const { position } = outcome.message;
        return void sent.push({ id: `svc:///messages/${id}`, conversationId: conversation.id, position });
      }
      if (outcome !== 'again') return void faults.push(outcome.fault);
      await delay(RETRY_MS);
    }
  };

  const running = (async () => {
    for (let turn = 0; !stopped; turn += 1) {
      await sendOne(conversations[turn % conversations.length]!);
      await delay(PAUSE_MS);
    }
  })();
  return {
    sent,
    faults,
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}
