import { createContextKey, createContextValues, type CallOptions } from '@connectrpc/connect';

/** The server that a call should go to, as RpcChannel.preferredReplica names it. */
export const SERVER = createContextKey<string | undefined>(undefined, {
  description: 'the server that a call should go to',
});

/**
 * Options of a multiplexed call that should go to this server. It goes to another one while that cannot take it, so no server
 * may rely on it.
 */
export function toReplica(server: string | undefined): CallOptions {
  return server === undefined ? {} : { contextValues: createContextValues().set(SERVER, server) };
}
