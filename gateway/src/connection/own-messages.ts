import type { FrameBody } from './frame.ts';

/** Above this number of messages a socket may get packets of its own. */
const MAX_KEPT = 2_000;

/** A message whose packet has come, or is to come. `isAnswered`: its sender has been told that it is sent. */
type Own = { isAnswered: boolean; packet: FrameBody | undefined };

/**
 * Messages that a socket has sent. The answer says all that their packets would; a message whose answer is an error may be stored all the
 * same, and then its packet tells of it. docs/protocol/lean-packets.md
 */
export class OwnMessages {
  readonly #messages = new Map<string, Own>();
  readonly #push: (packet: FrameBody) => void;

  constructor(push: (packet: FrameBody) => void) {
    this.#push = push;
  }

  /** Before a message is sent. */
  begin(id: string): void {
    const [oldest] = this.#messages.keys();
    if (oldest !== undefined && this.#messages.size >= MAX_KEPT) this.#end(oldest);
    this.#messages.set(id, { isAnswered: false, packet: undefined });
  }

  /** The sender is told that the message is sent: its packet is left out. */
  answered(id: string): void {
    const own = this.#messages.get(id);
    if (!own) return;
    if (own.packet) this.#messages.delete(id);
    else own.isAnswered = true;
  }

  /** The sender is told of an error: the packet of the message is pushed, now or when it comes. */
  failed(id: string): void {
    this.#end(id);
  }

  /** Whether the socket does without the packet of a message, which is its own; true once. */
  takes(id: string, packet: () => FrameBody): boolean {
    const own = this.#messages.get(id);
    if (!own) return false;
    if (own.isAnswered) this.#messages.delete(id);
    else own.packet = packet();
    return true;
  }

  #end(id: string): void {
    const packet = this.#messages.get(id)?.packet;
    this.#messages.delete(id);
    if (packet) this.#push(packet);
  }
}
