import { createHash } from 'node:crypto';

/**
 * How many of `shards` each gateway serves, as an Ingress does that hashes on the path: a shard belongs to the gateway with the
 * highest hash of both, so that the loss of a gateway moves its own shards only.
 */
export function placeShards(gateways: readonly string[], shards: number): Map<string, number> {
  const placed = new Map(gateways.map((name) => [name, 0]));
  for (let shard = 0; shard < shards; shard++) {
    const weights = gateways.map((name) => ({ name, weight: weightOf(name, shard) }));
    const winner = weights.reduce((best, one) => (one.weight > best.weight ? one : best)).name;
    placed.set(winner, (placed.get(winner) ?? 0) + 1);
  }
  return placed;
}

function weightOf(gateway: string, shard: number): string {
  return createHash('sha256').update(`${gateway}/websocket/${shard}`).digest('hex');
}
