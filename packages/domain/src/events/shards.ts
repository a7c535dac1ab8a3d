/** Number of virtual shards; a deployment's live shards are these modulo their number. */
export const VIRTUAL_SHARDS = 64;

/** 0 to 63; FNV-1a over UTF-16. Stored, and exchanged between processes of different versions: it must never change. */
export function virtualShard(userId: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < userId.length; i++) {
    const unit = userId.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >> 8), 0x01000193);
  }
  return (hash ^ (hash >>> 16)) & (VIRTUAL_SHARDS - 1);
}

/** The live shard, out of `shards` (1 to 64), to which a user's gateways subscribe. */
export function shardOf(userId: string, shards: number): number {
  return virtualShard(userId) % shards;
}

/** The virtual shards of an audience: 64 characters, character i is `1` when shard i has a user. */
export function maskOf(userIds: Iterable<string>): string {
  const mask = new Array<string>(VIRTUAL_SHARDS).fill('0');
  for (const userId of userIds) mask[virtualShard(userId)] = '1';
  return mask.join('');
}

/** The live shards, out of `shards`, that contain an audience; ascending. A bigint has bit i for shard i. */
export function shardsOfMask(mask: string | bigint, shards: number): number[] {
  const isSet = (i: number) =>
    typeof mask === 'string' ? mask[i] === '1' : ((mask >> BigInt(i)) & 1n) === 1n;
  const found = new Set<number>();
  for (let i = 0; i < VIRTUAL_SHARDS && found.size < shards; i++) if (isSet(i)) found.add(i % shards);
  return [...found].sort((a, b) => a - b);
}
