import type { Packet } from '../records/records.ts';

/**
 * Remembers what came while requests are under way. An answer shows the state at some moment since the request, so what came
 * meanwhile is applied again on top of it: never does an answer undo a packet.
 */
export type PacketsDuringRequest = {
  /** A reading begins. The function answers what came since; call `end` in the end. */
  begin(): { since(): readonly Packet[]; end(): void };
  add(packets: readonly Packet[]): void;
};

export function createPacketsDuringRequest(): PacketsDuringRequest {
  let readers = 0;
  let packets: Packet[] = [];
  return {
    begin() {
      readers++;
      const mark = packets.length;
      const own = packets;
      let isOver = false;
      return {
        since: () => own.slice(mark),
        end() {
          if (isOver) return;
          isOver = true;
          if (--readers === 0) packets = [];
        },
      };
    },
    add(more) {
      if (readers > 0) for (const packet of more) packets.push(packet);
    },
  };
}
