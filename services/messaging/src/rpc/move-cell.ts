import { fail } from '@parley/domain/problems';
import { MoveRefusal } from '@parley/kit/postgres/cells/moves';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  MoveCellRequest,
  MoveCellResponseSchema,
} from '@parley/proto/parley/messaging/v1/cell_admin_service_pb';
import { describeMove } from '../cells/describe.ts';
import type { AdministrationContext } from './rpc-context.ts';

/** Problems: missing_property, invalid_property, invalid_operation, conflict. */
export async function moveCell(
  { administration: { moves, plan } }: AdministrationContext,
  { cell, target }: MoveCellRequest,
): RpcResponse<typeof MoveCellResponseSchema> {
  for (const [property, value] of Object.entries({ cell, target }))
    if (value === '') fail('missing_property', { property, message: `${property} is required.` });
  if (!moves)
    fail('invalid_operation', {
      message: `Cells of the kind ${plan.kind} are all on one server: cells of Citus can be moved.`,
    });
  try {
    const move = await moves.request(cell, target);
    return move ? { move: describeMove(move) } : {};
  } catch (error) {
    if (!(error instanceof MoveRefusal)) throw error;
    const { reason, message } = error;
    if (reason === 'busy') fail('conflict', { message });
    if (reason === 'impossible') fail('invalid_operation', { message });
    return fail('invalid_property', { property: message.includes(cell) ? 'cell' : 'target', message });
  }
}
