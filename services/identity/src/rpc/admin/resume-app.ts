import type {
  ResumeAppRequest,
  ResumeAppResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { Answer } from '../answer.ts';
import type { Context } from '../../context.ts';
import { setAppState } from '../../admin/app-state.ts';

/** Sessions from before the suspension are valid again. */
export async function resumeApp(ctx: Context, req: ResumeAppRequest): Answer<typeof ResumeAppResponseSchema> {
  await setAppState(ctx, req.appUuid, { suspended: false });
  return {};
}
