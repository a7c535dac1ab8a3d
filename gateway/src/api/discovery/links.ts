import { shardOf } from '@parley/domain/events';
import type { Uses } from '../context.ts';

/** The addresses of GET /. docs/protocol/requests.md#where-clients-begin */
export function linksOf(ctx: Uses<'config'>) {
  const base = ctx.config.publicUrl;
  return { nonces: `${base}/nonces`, sessions: `${base}/sessions`, ...sessionLinksOf(ctx) };
}

/** The addresses for a new session. With several shards the address of the WebSocket names the user's shard. */
export function sessionLinksOf({ config }: Uses<'config'>, userId?: string) {
  const { publicUrl: base, liveShards } = config;
  const shard = userId !== undefined && liveShards > 1 ? `/${shardOf(userId, liveShards)}` : '';
  return {
    conversations: `${base}/conversations`,
    content: `${base}/content`,
    websocket: `${base.replace(/^http/, 'ws')}/websocket${shard}`,
  };
}
