import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';

/** The response of an RPC. */
export type Answer<S extends DescMessage> = Promise<MessageInitShape<S>>;
