import { createHash, randomUUID } from 'node:crypto';
import { call } from '../../test/support/http.ts';
import {
  createApp,
  textPart,
  uuidOf,
  type Platform,
  type TestApp,
  type TestUser,
} from '../../test/support/app.ts';
import type { Json } from '../../test/support/json.ts';

export type Operation = { method: string; path: string; auth: 'session' | 'bearer' | 'none' };

/** Objects that requests can name. Users, conversations and content are new for each chunk of cases: a case may destroy them. */
export type World = {
  platform: Platform;
  /** Keeps its keys and tokens. */
  app: TestApp;
  /** The administration API may delete it. */
  victim: TestApp;
  operations: readonly Operation[];
  actor: TestUser;
  other: string;
  /** `message` is the actor's, `received` the other user's; both are from before any block. */
  ids: Readonly<Record<'conversation' | 'message' | 'received' | 'part' | 'content', string>>;
  uploadUrl: string;
  downloadUrl: string;
};

/** Each names who of the two users of a world blocks the other one. */
const BLOCKS = ['nobody', 'actor', 'other', 'both', 'nobody any more'] as const;
export type Blocks = (typeof BLOCKS)[number];

export type Apps = Pick<World, 'platform' | 'app' | 'victim' | 'operations'>;

/** `without` names operations, as `GET /ping`, that no case is made for. */
export async function createApps(platform: Platform, without: readonly string[] = []): Promise<Apps> {
  const [app, victim] = [await createApp(platform, 'fuzzed'), await createApp(platform, 'victim')];
  const operations = (await listOperations(platform.baseUrl)).filter(
    ({ method, path }) => !without.includes(`${method} ${path}`),
  );
  return { platform, app, victim, operations };
}

/**
 * Every row of the running gateway's own description, so that a new row is tried without a word here; the administration API has
 * templates of its own.
 */
async function listOperations(baseUrl: string): Promise<Operation[]> {
  const { body } = await call('GET', `${baseUrl}/openapi.json`, 200);
  const paths = Object.entries(body.paths as Record<string, Record<string, Json>>);
  const own = paths.filter(([path]) => !path.startsWith('/admin/'));
  return own
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([method, { security }]) => ({
          ...{ method: method.toUpperCase(), path },
          auth: security?.[0]?.session ? 'session' : security?.[0]?.bearer ? 'bearer' : 'none',
        })),
    );
}

/** Each chunk of cases has the state of blocks that follows that of the chunk before. */
export function blocksOfChunk(index: number): Blocks {
  return BLOCKS[index % BLOCKS.length] ?? 'nobody';
}

export async function createWorld(apps: Apps, name: string, blocks: Blocks = 'nobody'): Promise<World> {
  const { app } = apps;
  const other = `other-${name}`;
  const [actor, peer] = await Promise.all([app.login(`actor-${name}`), app.login(other)]);
  const { body: made } = await actor.call('POST', '/conversations', 201, { body: { participants: [other] } });
  const conversation = uuidOf(made.id);
  const { body: message } = await actor.call('POST', `/conversations/${conversation}/messages`, 201, {
    body: { parts: [textPart('hello')] },
  });
  const { body: received } = await peer.call('POST', `/conversations/${conversation}/messages`, 201, {
    body: { parts: [textPart('hello, too')] },
  });
  await block(actor, peer, blocks);
  const headers = { 'upload-content-type': 'text/plain', 'upload-content-length': '5' };
  const { body: finished } = await actor.call('POST', '/content', 201, { headers });
  await call('PUT', finished.upload_url, 200, { raw: 'hello' });
  const { body: shown } = await actor.call('GET', `/content/${uuidOf(finished.id)}`, 200);
  const { body: begun } = await actor.call('POST', '/content', 201, { headers });
  return {
    ...apps,
    ...{ actor, other, uploadUrl: begun.upload_url, downloadUrl: shown.download_url },
    ids: {
      conversation,
      message: uuidOf(message.id),
      received: uuidOf(received.id),
      part: uuidOf(message.parts[0].id),
      content: uuidOf(finished.id),
    },
  };
}

async function block(actor: TestUser, other: TestUser, blocks: Blocks): Promise<void> {
  const isBegun = blocks !== 'nobody' && blocks !== 'other';
  if (isBegun) await actor.call('PUT', `/blocks/${other.id}`, 204);
  if (blocks === 'other' || blocks === 'both') await other.call('PUT', `/blocks/${actor.id}`, 204);
  if (blocks === 'nobody any more') await actor.call('DELETE', `/blocks/${other.id}`, 204);
}

/** One request by each way in, which has to succeed after every chunk of cases. */
export async function checkService({ actor, ids }: World): Promise<void> {
  const body = { id: randomUUID(), parts: [textPart(createHash('sha1').update(ids.message).digest('hex'))] };
  const { body: made } = await actor.call('POST', '/conversations', 201, { body: { participants: [] } });
  await actor.call('POST', `/conversations/${uuidOf(made.id)}/messages`, 201, { body });
  const socket = await actor.connect();
  const answer = await socket.request('Counter.read');
  await socket.close();
  if (!answer.success) throw new Error(`Counter.read failed: ${JSON.stringify(answer)}`);
}
