import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';

/** The answer of a unary RPC's handler: the response's fields, typed by its schema. */
export type RpcResponse<S extends DescMessage> = Promise<MessageInitShape<S>>;
