import type { MessageInitShape } from '@bufbuild/protobuf';
import type { PatchOperationSchema } from '@parley/proto/parley/messaging/v1/conversation_pb';

export type Operation = MessageInitShape<typeof PatchOperationSchema>;

export function add(value: string): Operation {
  return { step: { case: 'addParticipant', value } };
}
export function remove(value: string): Operation {
  return { step: { case: 'removeParticipant', value } };
}
export function set(userIds: string[]): Operation {
  return {
    step: { case: 'setParticipants', value: { userIds } },
  };
}
export function unset(path: string[]): Operation {
  return { step: { case: 'deleteMetadata', value: { path } } };
}

export function setMetadata(path: string[], value: string): Operation {
  return { step: { case: 'setMetadata', value: { path, value: { kind: { case: 'stringValue', value } } } } };
}
