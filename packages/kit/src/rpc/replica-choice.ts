import { createContextKey, createContextValues, type CallOptions } from '@connectrpc/connect';

/** The preferred server of a call, as named by RpcChannel.preferredReplica. */
export const SERVER = createContextKey<string | undefined>(undefined, {
  description: 'the server that a call should go to',
});

/**
 * Options of a multiplexed call with a preferred server. It goes to another server while that one cannot accept it, so no server may rely
 * on it.
 */
export function toReplica(server: string | undefined): CallOptions {
  return server === undefined ? {} : { contextValues: createContextValues().set(SERVER, server) };
}
