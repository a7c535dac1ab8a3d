const DAY_MS = 86_400_000;

/** The stream that keeps all durable events, as every service that publishes or consumes asks for it. */
export function eventStream({ replicas, maxBytes }: { replicas: number; maxBytes: number }) {
  return {
    name: 'EVENTS',
    subjects: ['event.>'],
    maxAgeMs: 7 * DAY_MS,
    maxBytes,
    replicas,
    duplicateWindowMs: 120_000,
  };
}
