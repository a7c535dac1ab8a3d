import { create } from '@bufbuild/protobuf';
import { ExportMessagesResponse_SpanSchema } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { messagesOf } from './messages-of-span.ts';

test('a span without rows, as an older release sends it, fails instead of being exported as nothing', () => {
  const span = create(ExportMessagesResponse_SpanSchema, { conversationId: 'one' });
  expect(() => [...messagesOf('app', span)]).toThrow('a span of messages has no rows');
});
