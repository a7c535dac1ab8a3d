import type { IssueNonceResponseSchema } from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Context } from '../context.ts';
import { issueNonce as makeNonce } from '../login/nonce.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

export async function issueNonce(ctx: Context): RpcResponse<typeof IssueNonceResponseSchema> {
  return { nonce: makeNonce(ctx.config.nonceSecret, ctx.clock.now()) };
}
