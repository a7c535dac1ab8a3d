import type { DescMethodUnary } from '@bufbuild/protobuf';
import type { ConnectRouter, HandlerContext, ServiceImpl, Transport } from '@connectrpc/connect';
import { AdminService } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { permissionOf } from './permissions.ts';

const METHODS: Record<string, DescMethodUnary> = AdminService.method;

type Target = {
  transport: Transport;
  /** Applies what a call revoked to the gateway's process, if that serves this too, before the call is answered. */
  learnRevocations: () => Promise<void>;
};

/** Forwards every method of AdminService to identity, with its answers and errors. */
export function forwardAdmin(target: Target): (router: ConnectRouter) => void {
  const forwards = Object.entries(METHODS).map(([name, method]) => [name, forward(target, method)]);
  // The keys are those of the descriptor, which the compiler cannot infer through a loop.
  const impl = Object.fromEntries(forwards) as ServiceImpl<typeof AdminService>;
  return (router) => void router.service(AdminService, impl);
}

function forward({ transport, learnRevocations }: Target, method: DescMethodUnary) {
  const changes = permissionOf(AdminService.typeName, method.name)?.recorded === 'call';
  return async (request: never, { signal }: HandlerContext) => {
    const { message } = await transport.unary(method, signal, undefined, undefined, request);
    if (changes) await learnRevocations();
    return message;
  };
}
