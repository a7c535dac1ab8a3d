import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';

/** What the handler of a unary RPC returns: the response's fields, given its schema. */
export type RpcResponse<S extends DescMessage> = Promise<MessageInitShape<S>>;
