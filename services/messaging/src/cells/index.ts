import { Code, ConnectError, type Client } from '@connectrpc/connect';
import { isUuid } from '@parley/domain/ids';
import { createBatcher, type Answer } from '@parley/kit/flow/batch';
import type { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { LRUCache } from 'lru-cache';

/** The cells of the applications. A cell has all that belongs to its applications; docs/decisions/cells.md */
export type Cells = {
  readonly count: number;
  /** The index of an application's cell, which never changes; 0 for an id that no application has. */
  of(appId: string): Promise<number>;
  stop(): Promise<void>;
};

const MAX_KNOWN = 200_000;
const MAX_ASKED = 500;

/** All applications are in the one cell. */
export const ONE: Cells = { count: 1, of: () => Promise.resolve(0), stop: () => Promise.resolve() };

/** Asks identity, once for each application. */
export function createCells(count: number, client: Client<typeof IdentityService>): Cells {
  if (count === 1) return ONE;
  const known = new LRUCache<string, number>({ max: MAX_KNOWN });
  const asking = createBatcher<string, number>({ run, maxItems: MAX_ASKED, maxQueued: 20_000 });

  async function run(appIds: string[]): Promise<Answer<number>[]> {
    const { cells } = await client.getAppCells({ appIds });
    return appIds.map((appId, index) => {
      const cell = cells[index] ?? -1;
      if (cell >= count) return new ConnectError(`cell ${cell} is new to this process`, Code.Unavailable);
      if (cell < 0) return 0;
      known.set(appId, cell);
      return cell;
    });
  }

  return {
    count,
    of: async (appId) => known.get(appId) ?? (isUuid(appId) ? asking.add(appId) : 0),
    stop: () => asking.stop(),
  };
}
