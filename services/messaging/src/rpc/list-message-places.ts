import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { ListMessagePlacesRequest } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import type { Context } from '../context.ts';
import { listPlacesWithin } from '../sql/transfer/export-message.ts';
import { clampPageSize } from './page-size.ts';

const LARGEST_PAGE = 1000;

export async function listMessagePlaces({ db }: Context, request: ListMessagePlacesRequest) {
  const { appId, conversationId, positions, pageSize } = request;
  if (!isUuid(conversationId) || !isUuid(appId)) return failNotFound('conversation', conversationId);
  const limit = clampPageSize(pageSize, LARGEST_PAGE);
  const rows =
    positions.length === 0 ? [] : await listPlacesWithin(db, { appId, conversationId, positions, limit });
  return { places: rows.map(({ id, position, sender_id }) => ({ id, position, senderId: sender_id })) };
}
