import type { RpcResponse } from '@parley/kit/rpc/response';
import { isFilename } from '@parley/domain/filename';
import { isMimeType } from '@parley/domain/parts';
import { fail } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import { currentContext } from '@parley/kit/runtime/request-context';
import type {
  CreateContentRequest,
  CreateContentResponseSchema,
} from '@parley/proto/parley/content/v1/content_service_pb';
import { toContent } from '../content/view.ts';
import type { Context } from '../context.ts';
import { isOrigin } from '@parley/domain/http/origins';
import { countUploadsOfUser, findContent, insertContent, lockUploadsOfUser } from '../sql/content.ts';
import { failExceeded, takeRoom } from '../upload/room.ts';
import { newUploadToken, repeatedToken, UPLOAD_PATH } from '../upload/address.ts';

/** An upload without progress for this long does not count against the user's limit. */
const ACTIVE_MS = 10 * 60_000;

/** Starts an upload and returns its address. Problems: invalid_property, rate_limit_exceeded, quota_exceeded. */
export async function createContent(
  ctx: Context,
  req: CreateContentRequest,
): RpcResponse<typeof CreateContentResponseSchema> {
  checkHeaders(ctx, req);
  const operationId = currentContext()?.operationId;
  const fresh = newUploadToken(ctx.config, operationId);
  const { appId, userId, byServer, conversationId, size, contentType, origin } = req;
  const { userIncarnation: incarnation, filename } = req;
  const fields = {
    appId,
    userId,
    incarnation,
    byServer,
    conversationId,
    size,
    contentType,
    origin,
    filename,
  };
  const id = operationId ?? ctx.newId();
  const begun = await ctx.db.tx(async (tx) => {
    await lockUploadsOfUser(tx, appId, userId || id);
    const existing = operationId === undefined ? undefined : await findContent(tx, { appId, id });
    if (existing) return existing;
    if (userId !== '') await requireSlot(ctx, tx, req);
    const exceeded = await takeRoom(ctx, tx, req);
    return (
      exceeded ?? insertContent(tx, { ...fields, id, tokenHash: fresh.hash, createdAt: ctx.clock.now() })
    );
  });
  if ('quota' in begun) failExceeded(begun);
  const { token } = (operationId && repeatedToken(ctx.config, operationId, begun.token_hash)) || fresh;
  return { content: toContent(begun), uploadUrl: `${ctx.config.contentUrl}${UPLOAD_PATH}/${token}` };
}

/** Checks the headers of the client's request. docs/protocol/uploads.md#ask-for-an-upload */
function checkHeaders(
  { config }: Context,
  { size, contentType, origin, filename }: CreateContentRequest,
): void {
  if (!isMimeType(contentType)) invalidHeader('Upload-Content-Type', 'must be a media type.');
  if (!Number.isSafeInteger(size) || size < 0 || size > config.maxContentBytes) {
    invalidHeader('Upload-Content-Length', `must be a number of bytes up to ${config.maxContentBytes}.`);
  }
  if (origin !== '' && !isOrigin(origin)) invalidHeader('Upload-Origin', 'must be a web origin.');
  if (filename !== '' && !isFilename(filename))
    invalidHeader('Upload-Content-Filename', 'must be a name of a file.');
}

function invalidHeader(header: string, rule: string): never {
  return fail('invalid_property', { property: header, data: { header }, message: `${header} ${rule}` });
}

async function requireSlot(
  ctx: Context,
  tx: Tx,
  { appId, userId, userIncarnation: incarnation }: CreateContentRequest,
): Promise<void> {
  const activeSince = ctx.clock.now() - ACTIVE_MS;
  const count = await countUploadsOfUser(tx, { appId, userId, incarnation, activeSince });
  if (count < ctx.config.maxUploadsPerUser) return;
  fail('rate_limit_exceeded', { message: 'Too many unfinished uploads.', retryAfterSeconds: 60 });
}
