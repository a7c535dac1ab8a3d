import type { IncomingMessage } from 'node:http';

/** Sockets of refused upgrades, opened only to tell the client the reason, until they are closed. */
export type RefusedSockets = {
  /** Takes a slot and returns a function that releases it, once. Undefined: no slot is free, so the upgrade is refused by HTTP. */
  take(request: IncomingMessage): (() => void) | undefined;
};

/** A socket holds its slot for at most two seconds. One address cannot occupy all slots. */
const SLOTS = 1_000;
const SLOTS_OF_ADDRESS = 50;

export function createRefusedSockets(addressOf: (request: IncomingMessage) => string): RefusedSockets {
  const taken = new Map<string, number>();
  let all = 0;

  function release(address: string): void {
    all -= 1;
    const left = (taken.get(address) ?? 0) - 1;
    if (left > 0) taken.set(address, left);
    else taken.delete(address);
  }

  return {
    take(request) {
      const address = addressOf(request);
      const count = taken.get(address) ?? 0;
      if (all >= SLOTS || count >= SLOTS_OF_ADDRESS) return undefined;
      all += 1;
      taken.set(address, count + 1);
      let isHeld = true;
      return () => {
        if (isHeld) release(address);
        isHeld = false;
      };
    },
  };
}
