import type { BusMessage } from '../../bus/index.ts';
import {
  extract,
  inSpan,
  isTracing,
  linksTo,
  SpanKind,
  type Attributes,
} from '../../runtime/telemetry/tracing.ts';

type Brought = { readonly message: BusMessage };

/**
 * Handles events in a span, the child of the span that published the first message. If several messages are handled at once, it has links
 * to the spans that published them.
 */
export function inConsumerSpan<T>(
  durable: string,
  entries: readonly [Brought, ...Brought[]],
  work: () => Promise<T>,
): Promise<T> {
  if (!isTracing()) return work();
  const messages = [...new Set(entries.map(({ message }) => message))];
  const options = {
    kind: SpanKind.CONSUMER,
    parent: extract(entries[0].message.headers),
    attributes: attributesOf(durable, messages),
    links: messages.length > 1 ? linksTo(messages.map(({ headers }) => headers['traceparent'])) : [],
  };
  return inSpan(`process ${durable}`, options, work);
}

/** Attributes by OpenTelemetry's conventions for messaging. Per-message attributes are left out if the messages differ in them. */
function attributesOf(durable: string, messages: readonly BusMessage[]): Attributes {
  const [id, another] = new Set(messages.map(({ msgId }) => msgId));
  const subjects = new Set(messages.map(({ subject }) => subject));
  return {
    'messaging.system': 'nats',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.consumer.group.name': durable,
    'messaging.destination.name': commonSubject([...subjects]),
    ...(another === undefined ? { 'messaging.message.id': id } : {}),
    ...(messages.length > 1 && { 'messaging.batch.message_count': messages.length }),
  };
}

/** A subject pattern that matches all given subjects, which have the same number of words; `*` replaces words that differ. */
function commonSubject(subjects: readonly string[]): string {
  const [first = [], ...rest] = subjects.map((subject) => subject.split('.'));
  if (rest.some(({ length }) => length !== first.length)) return `${first[0]}.>`;
  return first.map((word, at) => (rest.every((words) => words[at] === word) ? word : '*')).join('.');
}
