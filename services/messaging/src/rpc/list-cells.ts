import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  ListCellsRequest,
  ListCellsResponseSchema,
} from '@parley/proto/parley/messaging/v1/cell_admin_service_pb';
import { describeCell, describeMove, describeNode } from '../cells/describe.ts';
import type { AdministrationContext } from './rpc-context.ts';

const MAX_MOVES = 100;

export async function listCells(
  { administration, apps, log }: AdministrationContext,
  _: ListCellsRequest,
): RpcResponse<typeof ListCellsResponseSchema> {
  const { plan, moves } = administration;
  const [survey, placed, listed] = await Promise.all([
    administration.survey(),
    apps.countCellApps({}).catch((error: unknown) => {
      log.warn({ error }, 'identity does not count the applications of cells; listing cells without them');
      return undefined;
    }),
    moves?.list(MAX_MOVES).catch(() => undefined),
  ]);
  return {
    kind: plan.kind,
    cells: survey.cells.map((cell) => describeCell(cell, placed)),
    nodes: survey.nodes.map(describeNode),
    moves: (listed ?? []).map(describeMove),
    isCoordinatorAway: survey.isCoordinatorAway,
  };
}
