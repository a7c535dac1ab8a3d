import { randomUUID } from 'node:crypto';
import { uuidOf } from '../../test/support/app.ts';
import { open, statusPath } from '../../test/support/archive.ts';
import type { Json } from '../../test/support/json.ts';
import { until } from '../../test/support/until.ts';
import type { Client } from './client.ts';
import type { Listed, Observed } from './history.ts';
import type { Round } from './round.ts';

const PAGE = 100;
const EXPORTED_WITHIN_MS = 120_000;

type Get = (path: string) => Promise<Json>;

/** All of a list, page by page, in its order. */
async function readAll(get: Get, path: string): Promise<Json[]> {
  const all: Json[] = [];
  for (;;) {
    const from = all.length > 0 ? `&from_id=${uuidOf(all.at(-1).id)}` : '';
    const page = await get(`${path}?page_size=${PAGE}${from}`);
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

/** Reads everything that lists, counts, sockets, webhooks and devices say at the moment. */
export async function observe(round: Round, client: Client, exported: string[]): Promise<Observed> {
  const as =
    (token: string): Get =>
    async (path) =>
      (await client({ method: 'GET', path, authorization: `Svc session-token="${token}"`, expected: [200] }))
        .body;
  const lists: Observed['lists'] = [];
  const announcements: Observed['announcements'] = [];
  const { host, away, shy, bold, sid } = round.users;
  for (const user of [...round.followed, host, away, shy, bold, sid]) {
    const get = as(user.token);
    for (const [conversation, members] of round.members) {
      if (!members.includes(user.id)) continue;
      const shown = await get(`/conversations/${conversation}`);
      const listed = (await readAll(get, `/conversations/${conversation}/messages`)).map(
        ({ id, position, is_unread, reactions = {} }): Listed => ({
          ...{ id: uuidOf(id), position, isUnread: is_unread },
          reactions: new Map(Object.entries(reactions).map(([key, { count }]: Json) => [key, count])),
        }),
      );
      lists.push({
        ...{ user: user.id, conversation, listed },
        ...{ unread: shown.unread_message_count, total: shown.total_message_count },
      });
    }
    if (!round.followed.includes(user)) continue;
    announcements.push({ user: user.id, ids: (await readAll(get, '/announcements')).map(({ id }) => id) });
  }
  return {
    ...{ lists, announcements, exported },
    ...{ sockets: packetsAtSockets(round), webhooks: notified(round) },
    ...{ activated: toldToActivated(round), silentSockets: silentSockets(round) },
    ...(round.pushes && { pushes: round.pushes() }),
  };
}

function packetsAtSockets({ followers }: Round): Observed['sockets'] {
  return followers.map(({ user, name, follower }) => ({
    ...{ user, socket: name },
    messages: [...follower.created.keys()].map(uuidOf),
    announcements: [...follower.announced],
  }));
}

function silentSockets({ silent }: Round): Observed['silentSockets'] {
  return silent.followers.map(({ user, name, follower }) => ({
    ...{ user, socket: name, told: follower.told },
    messages: new Set([...follower.created.keys()].map(uuidOf)),
  }));
}

function toldToActivated({ activated }: Round): Observed['activated'] {
  return activated.map(({ since, receiver }) => ({
    since,
    messages: new Set(receiver.received.map(({ text }) => uuidOf(JSON.parse(text).message.id))),
  }));
}

function notified({ webhook }: Round): Observed['webhooks'] {
  return webhook.receiver.received.map(({ text, headers }) => {
    const { event, message } = JSON.parse(text);
    return { message: uuidOf(message.id), event: event.id, delivery: String(headers['webhook-id']) };
  });
}

/** Ids of the messages in an export that is requested now. */
export async function exportMessages(
  { app, keys }: Pick<Round, 'app' | 'keys'>,
  client: Client,
): Promise<string[]> {
  const authorization = `Bearer ${app.accessToken}`;
  const exports = `/apps/${app.appUuid}`;
  const { body: requested } = await client({
    ...{ method: 'POST', path: `${exports}/exports`, authorization, body: {}, expected: [202] },
    headers: { 'idempotency-key': randomUUID() },
  });
  const status = {
    method: 'GET',
    path: `${exports}${statusPath(requested.id)}`,
    authorization,
    expected: [200],
  };
  const completed = await until(
    'the export is completed',
    async () => {
      const { body } = await client(status);
      if (body.status_reason !== null) throw new Error(`the export: ${body.status_reason}`);
      return body.status === 'completed' ? body : undefined;
    },
    EXPORTED_WITHIN_MS,
  );
  const opened = await open(completed, keys.privateKey);
  return opened.messages.map(({ id }: Json) => uuidOf(id));
}
