import { limits } from '@parley/contract/limits';
import { fail } from '@parley/domain/problems';
import type {
  CreateAppRequest,
  CreateAppResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import { audit } from '../../admin/audit.ts';
import type { Context } from '../../context.ts';
import { toApp } from '../../admin/view.ts';
import { findEmptiestCell, insertApp } from '../../sql/app.ts';
import { parseName } from '../../admin/parse-input.ts';

export async function createApp(
  ctx: Context,
  req: CreateAppRequest,
): RpcResponse<typeof CreateAppResponseSchema> {
  const name = parseName(req.name);
  const environment = parseEnvironment(req.environment);
  const appId = ctx.newId();
  const { count: cells } = ctx.config.cells;
  const app = await ctx.db.tx(async (tx) => {
    await audit(ctx, tx, { appId, action: 'app.created', actor: 'admin', subject: appId });
    return insertApp(tx, {
      appId,
      name,
      environment,
      sessionTtlInSeconds: limits.defaultSessionSeconds,
      inlineBodyBytes: limits.inlineBodyBytes,
      createdAt: ctx.clock.now(),
      cell: cells === 1 ? 0 : await findEmptiestCell(tx, cells),
    });
  });
  return { app: toApp(ctx.wire, app) };
}

// The environment is a part of the application's URI.
function parseEnvironment(text: string): string {
  if (text === '') fail('missing_property', { property: 'environment', message: 'environment is required.' });
  if (/^[a-z][a-z0-9_-]{0,31}$/.test(text)) return text;
  return fail('invalid_property', {
    property: 'environment',
    message: 'environment must be a lower-case word of at most 32 characters, e.g. production.',
  });
}
