import type {
  CountCellAppsRequest,
  CountCellAppsResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../context.ts';
import { listCellSizes } from '../sql/app.ts';

export async function countCellApps(
  { db, config }: Context,
  _: CountCellAppsRequest,
): RpcResponse<typeof CountCellAppsResponseSchema> {
  const sizes = new Map((await listCellSizes(db)).map(({ cell, count }) => [cell, count]));
  const length = Math.max(0, ...[...sizes.keys()].map((cell) => cell + 1));
  const counts = Array.from({ length }, (__, cell) => sizes.get(cell) ?? 0);
  return { counts, openCount: config.cells.count };
}
