import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';

/** What an RPC resolves with. */
export type Answer<S extends DescMessage> = Promise<MessageInitShape<S>>;
