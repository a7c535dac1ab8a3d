import type {
  GetAppCellsRequest,
  GetAppCellsResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import { isUuid } from '@parley/domain/ids';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../context.ts';
import { findAppCells } from '../sql/app.ts';

const UNKNOWN = -1;

export async function getAppCells(
  { db }: Context,
  { appIds }: GetAppCellsRequest,
): RpcResponse<typeof GetAppCellsResponseSchema> {
  const found = await findAppCells(db, appIds.filter(isUuid));
  return { cells: appIds.map((id) => found.get(id.toLowerCase()) ?? UNKNOWN) };
}
