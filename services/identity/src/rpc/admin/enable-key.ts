import type {
  EnableKeyRequest,
  EnableKeyResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { Answer } from '../answer.ts';
import type { Context } from '../../context.ts';
import { setKeyState } from '../../admin/key-state.ts';

export async function enableKey(ctx: Context, req: EnableKeyRequest): Answer<typeof EnableKeyResponseSchema> {
  await setKeyState(ctx, req.keyId, { disabled: false });
  return {};
}
