import { isUuid } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';
import type { IsContentShownRequest } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Context } from '../context.ts';
import { toMessage } from '../message/record.ts';
import { isVisible } from '../message/view.ts';
import { listMessagesWithText } from '../sql/message/message-view.ts';

const LARGEST_REQUEST = 100;
/** Messages whose bodies are read at a time: each may have a megabyte. */
const PAGE = 10;

/** Looks at messages that mention the content, which few do without having it, page by page until one shows it. */
export async function isContentShown(ctx: Context, request: IsContentShownRequest) {
  const { appId, userId, contentId } = request;
  if (request.messageIds.length > LARGEST_REQUEST) fail('invalid_request');
  const messageIds = request.messageIds.filter(isUuid).sort();
  let page = { messageIds, limit: PAGE };
  while (page.messageIds.length > 0) {
    const rows = await listMessagesWithText(ctx.db, { appId, userId, text: contentId, ...page });
    const seen = rows.filter(isVisible).flatMap((row) => toMessage(row).parts);
    if (seen.some(({ content }) => content?.id === contentId)) return { shown: true };
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) break;
    page = { ...page, messageIds: page.messageIds.filter((id) => id < last.id) };
  }
  return { shown: false };
}
