import { shardOf } from '@parley/domain/events';
import type { GatewayContext } from '../../context.ts';

/** The addresses of GET /. SPEC completions 1. */
export function linksOf(ctx: GatewayContext) {
  const base = ctx.config.publicUrl;
  return { nonces: `${base}/nonces`, sessions: `${base}/sessions`, ...sessionLinksOf(ctx) };
}

/** The addresses that a session begins with. With several shards a user's sockets go where their events are heard. */
export function sessionLinksOf({ config }: GatewayContext, userId?: string) {
  const { publicUrl: base, liveShards } = config;
  const shard = userId !== undefined && liveShards > 1 ? `/${shardOf(userId, liveShards)}` : '';
  return {
    conversations: `${base}/conversations`,
    content: `${base}/content`,
    websocket: `${base.replace(/^http/, 'ws')}/websocket${shard}`,
  };
}
