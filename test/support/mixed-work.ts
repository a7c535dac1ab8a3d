import { request, type Dispatcher } from 'undici';
import { textPart, uuidOf, type TestUser } from './app.ts';
import { MEDIA_TYPE } from './http.ts';
import type { Json } from './json.ts';

/** Sends a request; the caller checks the status. */
export async function attempt(
  user: TestUser,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Json }> {
  const answer = await request(`${user.app.baseUrl}${path}`, {
    method: method as Dispatcher.HttpMethod,
    headers: {
      accept: MEDIA_TYPE,
      'content-type': 'application/json',
      authorization: `Svc session-token="${user.token}"`,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, body: text === '' ? undefined : (JSON.parse(text) as Json) };
}

type Known = { path: string; messages: string[] };
type Step = (user: TestUser, known: Known, pick: <T>(from: readonly T[]) => T) => Promise<{ status: number }>;

const send: Step = async (user, known) => {
  const answer = await attempt(user, 'POST', `${known.path}/messages`, { parts: [textPart('x')] });
  if (answer.status === 201) known.messages.push(uuidOf(answer.body.id));
  return answer;
};
function onMessage(method: string, suffix: string, body?: unknown): Step {
  return (user, known, pick) =>
    known.messages.length === 0
      ? send(user, known, pick)
      : attempt(user, method, `/messages/${pick(known.messages.slice(-30))}${suffix}`, body);
}
function patchMembers(operation: 'add' | 'remove'): Step {
  return (user, known, pick) =>
    attempt(user, 'PATCH', known.path, [
      { operation, property: 'participants', id: pick(['user-5', 'user-6', 'user-7']) },
    ]);
}

/** Each is chosen as often as it is listed. */
const steps: Step[] = [
  ...[send, send, send, send, send, send],
  onMessage('POST', '/receipts', { type: 'read' }),
  onMessage('POST', '/receipts', { type: 'read' }),
  onMessage('POST', '/receipts', { type: 'delivery' }),
  onMessage('DELETE', '?mode=all_participants'),
  onMessage('DELETE', '?mode=my_devices'),
  onMessage('GET', ''),
  (user, { path }) => attempt(user, 'POST', `${path}/mark_all_read`, { position: null }),
  (user, { path }) => attempt(user, 'POST', `${path}/mark_all_delivered`, { position: null }),
  (user, { path }, pick) =>
    attempt(user, 'PATCH', path, [
      { operation: 'set', property: `metadata.k${pick([1, 2, 3])}`, value: user.id },
    ]),
  patchMembers('add'),
  patchMembers('add'),
  patchMembers('remove'),
  (user, { path }, pick) =>
    attempt(user, 'DELETE', `${path}?mode=my_devices&leave=${pick(['false', 'false'])}`),
  (user) => attempt(user, 'GET', '/conversations?sort_by=last_message'),
  (user) => attempt(user, 'POST', '/conversations', { participants: ['user-0', 'user-1'], distinct: true }),
];

const ALLOWED = new Set([200, 201, 202, 204, 403, 404, 409]);

/** Runs random steps of all users concurrently. `faults`: answers that no step may get. */
export async function mixedWork(
  users: readonly TestUser[],
  conversations: readonly Json[],
  { loops, steps: count }: { loops: number; steps: number },
): Promise<{ faults: string[]; done: number }> {
  const known = conversations.map(({ id }) => ({ path: `/conversations/${uuidOf(id)}`, messages: [] }));
  const faults: string[] = [];
  let done = 0;
  const run = async (user: TestUser, seed: number): Promise<void> => {
    const pick = picker(seed);
    for (let index = 0; index < count; index += 1) {
      const answer = await pick(steps)(user, pick(known), pick);
      done += 1;
      if (!ALLOWED.has(answer.status)) faults.push(JSON.stringify(answer));
    }
  };
  await Promise.all(
    users.flatMap((user, index) => Array.from({ length: loops }, (_, loop) => run(user, index * 10 + loop))),
  );
  return { faults, done };
}

/** Picks at random; the same seed gives the same choices. */
function picker(seed: number) {
  let state = seed * 2_654_435_761 + 1;
  return <T>(from: readonly T[]): T => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return from[Math.floor((state / 2 ** 32) * from.length)] as T;
  };
}
