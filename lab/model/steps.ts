import * as fc from 'fast-check';

/** An act of one device, or an event that happens to it. The numbers choose among the objects that exist then. */
export type Step = {
  readonly device: number;
  readonly kind: (typeof KINDS)[number];
  readonly conversation: number;
  readonly which: number;
  /** Milliseconds until the next step. */
  readonly pause: number;
};

/** Kinds of steps; a kind that is listed twice is chosen twice as often. */
export const KINDS = [
  ...([
    'send',
    'send',
    'send',
    'send',
    'create',
    'createDistinct',
    'markRead',
    'markRead',
    'readOne',
  ] as const),
  ...(['hideMessage', 'deleteMessage', 'edit', 'setMetadata', 'deleteMetadata'] as const),
  ...(['add', 'remove', 'leave', 'hide', 'deleteForAll', 'loadOlder'] as const),
  ...(['announce', 'announce', 'readAnnouncement', 'deleteAnnouncement'] as const),
  ...(['block', 'unblock', 'upload', 'sendFile', 'sendFile', 'deliverAll'] as const),
  ...(['cut', 'truncate', 'delay', 'refuse', 'offline', 'online', 'reload'] as const),
] as const;

export type Scenario = {
  /** The number of devices of each user. */
  readonly devices: readonly number[];
  readonly steps: readonly Step[];
};

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  devices: fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 2, maxLength: 4 }),
  steps: fc.array(
    fc.record({
      device: fc.nat(7),
      kind: fc.constantFrom(...KINDS),
      conversation: fc.nat(9),
      which: fc.nat(99),
      pause: fc.constantFrom(0, 0, 0, 5, 20, 60),
    }),
    { minLength: 10, maxLength: 30 },
  ),
});
