import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { PatchOperationSchema } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { planPatch } from './patch-plan.ts';

function plan(...operations: MessageInitShape<typeof PatchOperationSchema>[]) {
  const before = { participants: new Set(['ann', 'bob']), metadata: { a: '1' } };
  const {
    added,
    removed,
    metadata,
    operations: effective,
  } = planPatch(
    before,
    operations.map((operation) => create(PatchOperationSchema, operation)),
  );
  return { added, removed, metadata, effective: effective.map(({ step }) => step.case) };
}
const unchanged = { added: [], removed: [], metadata: { a: '1' }, effective: [] };

test('a patch amounts to the difference that its operations make one by one', () => {
  expect(
    plan(
      { step: { case: 'setParticipants', value: { userIds: ['bob', 'cat'] } } },
      { step: { case: 'addParticipant', value: 'dan' } },
      { step: { case: 'removeParticipant', value: 'cat' } },
    ),
  ).toEqual({
    ...unchanged,
    added: ['dan'],
    removed: ['ann'],
    effective: ['addParticipant', 'removeParticipant'],
  });
});

test('operations that are undone or have no effect are left out of the patch', () => {
  expect(
    plan(
      { step: { case: 'addParticipant', value: 'ann' } },
      { step: { case: 'removeParticipant', value: 'bob' } },
      { step: { case: 'addParticipant', value: 'bob' } },
      { step: { case: 'deleteMetadata', value: { path: ['a'] } } },
      {
        step: {
          case: 'setMetadata',
          value: { path: ['a'], value: { kind: { case: 'stringValue', value: '1' } } },
        },
      },
    ),
  ).toEqual(unchanged);
});
