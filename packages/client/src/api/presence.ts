import type { Presence } from '@parley/contract/gen/records';
import { identityUri } from '../records/records.ts';
import type { Host } from './host.ts';
import { createQuery } from '../query/live-query.ts';
import type { Query } from '../query/query.ts';

/** The presence of some users while the query has a subscriber. */
export function createPresence(
  host: Host,
  userIds: readonly string[],
): Query<Readonly<Record<string, Presence>>> {
  function compute(): Readonly<Record<string, Presence>> {
    const { ctx } = host;
    if (!ctx) return {};
    const known = userIds.map(
      (userId) => [userId, ctx.ephemeral.presence.get(identityUri(ctx.wire, userId))] as const,
    );
    return Object.fromEntries(known.filter((pair): pair is [string, Presence] => pair[1] !== undefined));
  }
  async function used(isUsed: boolean): Promise<void> {
    await host.ready;
    const { ctx } = host;
    if (!ctx) return;
    const { watched } = ctx.ephemeral;
    const ids = userIds.map((userId) => identityUri(ctx.wire, userId));
    for (const id of ids) {
      const count = (watched.get(id) ?? 0) + (isUsed ? 1 : -1);
      if (count > 0) watched.set(id, count);
      else watched.delete(id);
    }
    if (isUsed) await host.ask({ name: 'watchPresence', data: { ids } });
  }
  return createQuery(host.publisher, {
    compute,
    isSame: (one, other) =>
      Object.keys(one).length === Object.keys(other).length &&
      Object.entries(one).every(([key, value]) => other[key] === value),
    // The subscription is requested again on the next connection.
    used: (isUsed) => void used(isUsed).catch(() => undefined),
  });
}
