const DAY_MS = 86_400_000;

/** The stream of all durable events, with the options that every publishing or consuming service requests. */
export function eventStream(config: { streamReplicas: number; streamMaxBytes: number }) {
  return {
    name: 'EVENTS',
    subjects: ['event.>'],
    maxAgeMs: 7 * DAY_MS,
    maxBytes: config.streamMaxBytes,
    replicas: config.streamReplicas,
    duplicateWindowMs: 120_000,
  };
}
