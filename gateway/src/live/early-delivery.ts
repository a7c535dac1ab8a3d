import type { Bus } from '@parley/kit/bus';
import { contain } from '@parley/kit/contain';
import { detach } from '@parley/kit/request-context';
import { inject, type TraceCarrier } from '@parley/kit/telemetry/tracing';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { inDeliverySpan } from './delivery-span.ts';
import type { ConversationStreams } from './streams.ts';

type Options = {
  streams: Pick<ConversationStreams, 'offer'>;
  bus: Pick<Bus, 'connected'>;
  failed(error: unknown): void;
};

type Waiting = { event: Event; trace: string | undefined };

const runDetached = detach();

/**
 * Returns a function that takes the event of a message which was just stored for this gateway, and delivers it at the end of the turn of
 * the event loop, behind the answer to the sender. The bus brings the event too, a little later; whatever comes second is left out. While
 * the bus is not connected nothing is delivered: a client takes the latest change that it has got as a sign that it has missed none before.
 */
export function createEarlyDelivery({ streams, bus, failed }: Options): (event: Event) => void {
  let waiting: Waiting[] = [];

  function deliver(): void {
    const due = waiting;
    waiting = [];
    if (!bus.connected) return;
    for (const { event, trace } of due) {
      const offer = (): void => void streams.offer(event);
      contain(() => (trace === undefined ? offer() : inDeliverySpan(trace, 1, offer)), failed);
    }
  }

  return (event) => {
    if (waiting.push({ event, trace: inject<TraceCarrier>({})['traceparent'] }) === 1)
      runDetached(() => setImmediate(deliver));
  };
}
