import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { textPart, type TestApp, type TestUser } from '../../test/support/app.ts';
import { MEDIA_TYPE } from '../../test/support/http.ts';

/** A conversation whose two participants send. */
export type Room = { app: TestApp; conversation: string; messagesUrl: string; users: TestUser[] };

export type Sending = {
  /** Ids of acknowledged messages, by conversation. */
  readonly sent: ReadonlyMap<string, string[]>;
  /** Answers that a client does not repeat after. */
  readonly faults: readonly string[];
  count(): number;
  /** How many requests were repeated, after a 503 or a lost connection. */
  repeats(): number;
  /** The longest time from the first attempt of a message to its acknowledgement since the last call. Milliseconds. */
  longestMs(): number;
  stop(): Promise<void>;
};

const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 1_000;

/** `each` senders in every room send one message after another, and repeat a request with the same id as every client does. */
export function startSending(rooms: readonly Room[], each: number): Sending {
  const sent = new Map(rooms.map(({ conversation }) => [conversation, [] as string[]]));
  const faults: string[] = [];
  let isOver = false;
  let [count, repeats, longestMs] = [0, 0, 0];

  async function sendOne({ messagesUrl, conversation }: Room, user: TestUser): Promise<void> {
    const id = randomUUID();
    const began = performance.now();
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
      const outcome = await attempt(messagesUrl, user, id);
      if (outcome === 'sent') break;
      if (outcome !== 'again') return void faults.push(outcome);
      repeats += 1;
      await pause(waitMs);
    }
    sent.get(conversation)!.push(id);
    count += 1;
    longestMs = Math.max(longestMs, performance.now() - began);
  }

  const working = rooms.flatMap((room) =>
    Array.from({ length: each }, async (_, index) => {
      while (!isOver && faults.length === 0) await sendOne(room, room.users[index % room.users.length]!);
    }),
  );
  return {
    sent,
    faults,
    count: () => count,
    repeats: () => repeats,
    longestMs() {
      const longest = longestMs;
      longestMs = 0;
      return longest;
    },
    async stop() {
      isOver = true;
      await Promise.all(working);
    },
  };
}

async function attempt(url: string, user: TestUser, id: string): Promise<'sent' | 'again' | string> {
  const headers = {
    accept: MEDIA_TYPE,
    'content-type': 'application/json',
    authorization: `Svc session-token="${user.token}"`,
  };
  const body = JSON.stringify({ id, parts: [textPart('in a cell')] });
  try {
    const answer = await request(url, { method: 'POST', headers, body });
    const text = await answer.body.text();
    // 409: an earlier attempt was stored.
    if (answer.statusCode === 201 || answer.statusCode === 409) return 'sent';
    return answer.statusCode === 503 ? 'again' : `${answer.statusCode} ${text}`;
  } catch {
    return 'again';
  }
}
