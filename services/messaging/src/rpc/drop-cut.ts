import { isUuid } from '@parley/domain/ids';
import type { DropCutRequest } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import type { Context } from '../context.ts';
import { deleteCut } from '../sql/transfer/export-cut.ts';

export async function dropCut({ db }: Context, { appId, cutId }: DropCutRequest) {
  if (isUuid(cutId) && isUuid(appId)) await deleteCut(db, { appId, cutId });
  return {};
}
