import { fail } from '@parley/domain/problems';
import type { RpcResponse } from '@parley/kit/rpc/response';
import { MAX_CELLS } from '@parley/kit/runtime/config/cell-plan';
import type {
  AddCellsRequest,
  AddCellsResponseSchema,
} from '@parley/proto/parley/messaging/v1/cell_admin_service_pb';
import type { AdministrationContext } from './rpc-context.ts';

/** Problems: invalid_property, invalid_operation. */
export async function addCells(
  { administration }: AdministrationContext,
  { count }: AddCellsRequest,
): RpcResponse<typeof AddCellsResponseSchema> {
  const { plan } = administration;
  if (plan.kind === 'one')
    fail('invalid_operation', {
      message: 'The tables of messaging are not in cells: docs/scaling.md#cells says how to begin.',
    });
  if (!Number.isInteger(count) || count < 1 || count > MAX_CELLS)
    fail('invalid_property', { property: 'count', message: `count must be from 1 to ${MAX_CELLS}.` });
  const { cells, isCoordinatorAway } = await administration.survey();
  // Which cells are begun is written there.
  if (isCoordinatorAway) fail('service_unavailable');
  if (count < cells.length)
    fail('invalid_operation', {
      message: `There are ${cells.length} cells already, and none is removed: it may have applications.`,
    });
  const readyCount = cells.filter(({ state }) => state !== 'making').length;
  if (readyCount >= count) return { readyCount, isDone: true };
  administration.add(count);
  return { readyCount, isDone: false };
}
