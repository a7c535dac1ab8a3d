import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { ListMessageIdsRequest } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Context } from '../context.ts';
import { listIdsWithin } from '../sql/message/message-ids.ts';
import { clampPageSize } from './page-size.ts';

const LARGEST_PAGE = 1000;

export async function listMessageIds({ db }: Context, request: ListMessageIdsRequest) {
  const { appId, conversationId, positions, pageSize, senderId } = request;
  if (!isUuid(conversationId)) return failNotFound('conversation', conversationId);
  const limit = clampPageSize(pageSize, LARGEST_PAGE);
  const query = {
    appId,
    conversationId,
    senderId: senderId || null,
    positions,
    limit,
  };
  return { items: positions.length > 0 ? await listIdsWithin(db, query) : [] };
}
