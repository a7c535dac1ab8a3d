/** Live messages that the server may not have received. */
export type Unconfirmed = {
  add(message: LiveMessage): void;
  /** Records that the server has received everything written before `sentAt`. */
  confirmed(sentAt: number): void;
  /** Returns the remaining messages, which count as written now. */
  again(): LiveMessage[];
};

export type LiveMessage = { subject: string; payload: Uint8Array };

type Options = { now(): number; dropped(): void };
type Kept = LiveMessage & { at: number };

/** Total size of all payloads; beyond it the oldest are dropped. Bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Keeps live messages until the server has received them; in a long outage, only the newest. */
export function createUnconfirmed({ now, dropped }: Options): Unconfirmed {
  let kept: Kept[] = [];
  let bytes = 0;

  function removeFirst(count: number): void {
    for (const { payload } of kept.splice(0, count)) bytes -= payload.length;
  }

  return {
    add({ subject, payload }) {
      kept.push({ subject, payload, at: now() });
      bytes += payload.length;
      if (bytes <= MAX_BYTES) return;
      // Drops a quarter at a time: dropping single messages would move the whole array each time.
      let count = 0;
      for (let left = bytes; left > (MAX_BYTES * 3) / 4; count++) left -= kept[count]?.payload.length ?? 0;
      removeFirst(count);
      for (; count > 0; count--) dropped();
    },
    confirmed(sentAt) {
      const first = kept.findIndex(({ at }) => at >= sentAt);
      removeFirst(first < 0 ? kept.length : first);
    },
    again() {
      const at = now();
      kept = kept.map((message) => ({ ...message, at }));
      return kept;
    },
  };
}
