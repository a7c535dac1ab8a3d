import { CellAdminService, type CellMove } from '@parley/proto/parley/messaging/v1/cell_admin_service_pb';
import { until } from '@parley/testing';
import type { TestMessaging } from './service.ts';

// Citus names what a move needs in the whole cluster, so that moves of two test files at once fail and are tried again.
const MOVED_WITHIN_MS = 120_000;

/** Finds where a cell is, a node that takes cells where it is not, and the coordinator. */
export async function placeOf({ channel }: TestMessaging, cell: string) {
  const { cells, nodes } = await channel.client(CellAdminService).listCells({});
  const at = cells.find(({ name }) => name === cell)?.node ?? '';
  const target = nodes.find(({ address, takesCells }) => takesCells && address !== at)?.address ?? '';
  const coordinator = nodes.find(({ isCoordinator }) => isCoordinator)?.address ?? '';
  return { cell, at, target, coordinator };
}

/** The last move of a cell, once it has come so far. */
export function untilMove(
  { channel }: TestMessaging,
  cell: string,
  hasReached: (move: CellMove) => boolean,
): Promise<CellMove> {
  const find = async () => {
    const { moves } = await channel.client(CellAdminService).listCells({});
    return moves.find((move) => move.cell === cell && hasReached(move));
  };
  return until(find, { withinMs: MOVED_WITHIN_MS, what: 'the move has come so far' });
}

/** Moves a cell to the node that does not have it, as an operator does. */
export async function moveCell(service: TestMessaging, cell: string): Promise<void> {
  const { target } = await placeOf(service, cell);
  const { move } = await service.channel.client(CellAdminService).moveCell({ cell, target });
  await untilMove(
    service,
    cell,
    ({ state, requestedAt }) => state === 'moved' && requestedAt === move?.requestedAt,
  );
}
