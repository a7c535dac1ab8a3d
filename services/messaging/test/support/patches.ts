import type { MessageInitShape } from '@bufbuild/protobuf';
import type { PatchOperationSchema } from '@parley/proto/parley/messaging/v1/conversation_pb';

export type Operation = MessageInitShape<typeof PatchOperationSchema>;

export const add = (value: string): Operation => ({ step: { case: 'addParticipant', value } });
export const remove = (value: string): Operation => ({ step: { case: 'removeParticipant', value } });
export const set = (userIds: string[]): Operation => ({
  step: { case: 'setParticipants', value: { userIds } },
});
export const unset = (path: string[]): Operation => ({ step: { case: 'deleteMetadata', value: { path } } });

export function setMetadata(path: string[], value: string): Operation {
  return { step: { case: 'setMetadata', value: { path, value: { kind: { case: 'stringValue', value } } } } };
}
