import type { Clock } from '../../runtime/clock/index.ts';

/** Items in memory, each with a due time. */
export type Wheel<T> = {
  /** Does nothing when an item with this key is already waiting. A late item runs at the next tick. */
  add(key: string, at: number, item: T): void;
  readonly size: number;
  stop(): void;
};

export type WheelOptions<T> = {
  clock: Clock;
  /** Gets all items due in one tick, ordered by time; it must not throw. */
  run: (items: T[]) => void;
  /** Items that fall due within this time run together, at its end. Default 5. Milliseconds. */
  tickMs?: number;
};

type Slot<T> = { items: { key: string; at: number; item: T }[]; cancel: () => void };

/** Uses one timer for each tick with items, however many items are waiting. */
export function createWheel<T>({ clock, run, tickMs = 5 }: WheelOptions<T>): Wheel<T> {
  const slots = new Map<number, Slot<T>>();
  const waiting = new Set<string>();

  function fire(tick: number): void {
    const { items = [] } = slots.get(tick) ?? {};
    slots.delete(tick);
    for (const { key } of items) waiting.delete(key);
    run(items.sort((a, b) => a.at - b.at).map(({ item }) => item));
  }

  return {
    add(key, at, item) {
      if (waiting.has(key)) return;
      waiting.add(key);
      const tick = Math.ceil(Math.max(at, clock.now()) / tickMs);
      const slot = slots.get(tick);
      if (slot) return void slot.items.push({ key, at, item });
      const cancel = clock.setTimer(tick * tickMs - clock.now(), () => fire(tick));
      slots.set(tick, { items: [{ key, at, item }], cancel });
    },
    get size() {
      return waiting.size;
    },
    stop() {
      for (const { cancel } of slots.values()) cancel();
      slots.clear();
      waiting.clear();
    },
  };
}
