import type { DescService } from '@bufbuild/protobuf';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { implement, readerOfApp, type Handlers } from '@parley/kit/rpc/implement';
import type { RpcServer } from '@parley/kit/rpc/server';
import type { RpcContext } from '../rpc/rpc-context.ts';
import type { Cells } from './index.ts';

type Call = (request: never, call: HandlerContext) => unknown;

/** The implementations of a method in all cells, in their order. */
export type InCells<M> = { calls: readonly M[]; cells: Cells; call: HandlerContext };

/** How a method answers whose request names applications of several cells, or none. */
export type Dividing<S extends DescService> = {
  [M in keyof ServiceImpl<S>]?: (
    request: Parameters<ServiceImpl<S>[M]>[0],
    inCells: InCells<ServiceImpl<S>[M]>,
  ) => ReturnType<ServiceImpl<S>[M]>;
};

export type Mounting = { server: RpcServer; contexts: readonly RpcContext[]; cells: Cells };

/**
 * Mounts the RPCs of a service. A call whose request names one application runs in the context of its cell, and `dividing` has the others. With
 * one cell all of them are mounted as they are.
 */
export function mountInCells<S extends DescService>(
  { server, contexts, cells }: Mounting,
  service: S,
  handlers: Handlers<S, RpcContext>,
  dividing: Dividing<S> = {},
): void {
  const implementations = contexts.map((ctx) => implement(service, ctx, handlers));
  const [only] = implementations;
  if (only && implementations.length === 1) return server.service(service, only);
  const methods = service.methods.map((method) => {
    const name = method.localName as keyof ServiceImpl<S>;
    const calls = implementations.map((one) => one[name] as Call);
    const divide = dividing[name] as ((request: unknown, inCells: InCells<Call>) => unknown) | undefined;
    if (divide)
      return [name, (request: unknown, call: HandlerContext) => divide(request, { calls, cells, call })];
    const appOf = readerOfApp(method);
    if (method.methodKind !== 'server_streaming')
      return [
        name,
        async (request: never, call: HandlerContext) => calls[await cells.of(appOf(request))]!(request, call),
      ];
    return [
      name,
      async function* (request: never, call: HandlerContext) {
        yield* calls[await cells.of(appOf(request))]!(request, call) as AsyncIterable<unknown>;
      },
    ];
  });
  server.service(service, Object.fromEntries(methods) as ServiceImpl<S>);
}
