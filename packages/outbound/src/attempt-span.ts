import {
  inSpan,
  isTracing,
  linksTo,
  markFailed,
  SpanKind,
  type Attributes,
} from '@parley/kit/runtime/telemetry/tracing';

export type AttemptSpan<Outcome> = {
  name: string;
  /** The trace of the request that led to the delivery, if that is traced. */
  traceparent: string | null;
  /** Neither tokens nor whole addresses, which may hold secrets. */
  attributes: Attributes;
  /** Describes an outcome in the span. `failure`: why it counts as failed. */
  describe(outcome: Outcome): { attributes: Attributes; failure?: string | undefined };
};

/** Calls a target in a span of its own trace, since attempts may be days after the request that led to them, with a link to that. */
export function inAttemptSpan<Outcome>(
  { name, traceparent, attributes, describe }: AttemptSpan<Outcome>,
  call: () => Promise<Outcome>,
): Promise<Outcome> {
  if (!isTracing()) return call();
  const options = { kind: SpanKind.CLIENT, root: true, links: linksTo([traceparent]), attributes };
  return inSpan(name, options, async (span) => {
    const outcome = await call();
    const { attributes: more, failure } = describe(outcome);
    span?.setAttributes(more);
    if (span && failure !== undefined) markFailed(span, failure);
    return outcome;
  });
}
