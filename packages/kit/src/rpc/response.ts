import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';

/** The answer of the handler of a unary RPC: the response's fields, given its schema. */
export type RpcResponse<S extends DescMessage> = Promise<MessageInitShape<S>>;
