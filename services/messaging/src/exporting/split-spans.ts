import type { ExportMessagesResponse_Span as Span } from '@parley/proto/parley/messaging/v1/transfer_service_pb';

const MOST_BYTES = 131_072;

/** Responses of about 128 KiB, so that neither end holds much: a message of a thousand parts has two megabytes and goes alone. */
export function* splitSpans(spans: readonly Span[]): Generator<{ spans: Span[] }> {
  let gathered: Span[] = [];
  let bytes = 0;
  for (const span of spans) {
    const { messages, receipts } = span;
    const overhead = 200 * (receipts?.states.length ?? 0);
    let from = 0;
    bytes += overhead;
    for (const [index, message] of messages.entries()) {
      bytes += 150 + message.body.length;
      if (bytes < MOST_BYTES) continue;
      gathered.push({ ...span, messages: messages.slice(from, index + 1) });
      yield { spans: gathered };
      gathered = [];
      bytes = overhead;
      from = index + 1;
    }
    if (from < messages.length)
      gathered.push(from === 0 ? span : { ...span, messages: messages.slice(from) });
  }
  if (gathered.length > 0) yield { spans: gathered };
}
