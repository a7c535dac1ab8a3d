import type { DescMessage, DescMethod, DescService } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import { Share } from '@parley/proto/parley/rpc/v1/call_pb';
import type { Database } from '../postgres/index.ts';
import { shareOf, type PoolShares } from '../postgres/pool-shares.ts';
import { callFactsOf } from './call-facts.ts';

/** A function for each method of a service, which gets the context of the process before the request. */
export type Handlers<S extends DescService, Context> = {
  [M in keyof ServiceImpl<S>]: (
    ctx: Context,
    ...args: Parameters<ServiceImpl<S>[M]>
  ) => ReturnType<ServiceImpl<S>[M]>;
};

/** Resources of which an application's calls take a share. */
export type Shared = { db: Database; shares: PoolShares };

type Handle = (ctx: object, request: unknown, call: unknown) => unknown;

/**
 * Wraps an implementation so that its calls take the share of database connections stated in their method's .proto. Fails with an Error for
 * a method without that option, or with an application field that its request does not have.
 */
export function implement<S extends DescService, Context extends Shared>(
  service: S,
  ctx: Context,
  handlers: Handlers<S, Context>,
): ServiceImpl<S> {
  const byName = handlers as unknown as Readonly<Record<string, Handle>>;
  const methods = service.methods.map((method) => {
    const handle = byName[method.localName];
    if (!handle) throw new Error(`${service.typeName}.${method.name} has no handler`);
    return [method.localName, withShare(method, ctx, handle)];
  });
  return Object.fromEntries(methods) as ServiceImpl<S>;
}

/** Reads, from a request of a method, the application whose share its calls take. Fails with an Error for a method whose request names none. */
export function readerOfApp(method: DescMethod): (request: unknown) => string {
  return reader(method, callFactsOf(method).app || 'app_id');
}

function withShare(method: DescMethod, ctx: Shared, handle: Handle) {
  const { share } = callFactsOf(method);
  const { shares } = ctx;
  if (share === Share.NONE || share === Share.STEPS)
    return (request: unknown, call: unknown) => handle(ctx, request, call);
  const appOf = readerOfApp(method);
  if (share === Share.STATEMENTS)
    return (request: unknown, call: unknown) =>
      handle({ ...ctx, db: shareOf(ctx.db, shares, appOf(request)) }, request, call);
  const run = {
    [Share.LIGHT]: shares.run,
    [Share.HEAVY]: shares.runHeavy,
    [Share.BATCHED]: shares.runBatched,
  }[share as Share.LIGHT | Share.HEAVY | Share.BATCHED];
  if (!run) throw new Error(`${method.parent.typeName}.${method.name} takes no known share`);
  return (request: unknown, call: unknown) =>
    run(appOf(request), () => handle(ctx, request, call) as Promise<unknown>);
}

/** Reads a text from a request, such as that of `identity.app_id`. Empty where a part of the path is missing. */
function reader({ parent, name, input }: DescMethod, path: string): (request: unknown) => string {
  const names: string[] = [];
  let message: DescMessage | undefined = input;
  for (const part of path.split('.')) {
    const field: DescMessage['fields'][number] | undefined = message?.fields.find(
      ({ name }) => name === part,
    );
    if (!field) throw new Error(`the request of ${parent.typeName}.${name} has no ${path}`);
    names.push(field.localName);
    message = field.fieldKind === 'message' ? field.message : undefined;
  }
  const [only = ''] = names;
  if (names.length === 1) return (request) => (request as Record<string, string>)[only] ?? '';
  return (request) => {
    const found = names.reduce<unknown>(
      (from, name) => (from as Record<string, unknown> | undefined)?.[name],
      request,
    );
    return typeof found === 'string' ? found : '';
  };
}
