import type { About } from './gone-objects.ts';

/** Above this number of messages a socket may get the packets of messages it sent. */
const MAX_KEPT = 2_000;

/**
 * A message sent by the socket. `isAnswered`: the client has been told that it was stored. `release`: sends its packet, which came before
 * the answer.
 */
type Own = { isAnswered: boolean; release: (() => void) | undefined };

/**
 * Messages that a socket has sent. The answer replaces their packets. A message may be stored although its answer is an error; then its
 * packet is sent. docs/protocol/lean-packets.md#sending
 */
export class OwnMessages {
  readonly #messages = new Map<string, Own>();

  /** Records a message before it is sent. */
  begin(id: string): void {
    // The request is repeated while the first attempt is under way.
    if (this.#messages.has(id)) return;
    const [oldest] = this.#messages.keys();
    if (oldest !== undefined && this.#messages.size >= MAX_KEPT) this.#end(oldest);
    this.#messages.set(id, { isAnswered: false, release: undefined });
  }

  /** Ends a request that succeeded: the packet of its message is dropped. */
  answered(id: string): void {
    const own = this.#messages.get(id);
    if (!own) return;
    if (own.release) this.#messages.delete(id);
    else own.isAnswered = true;
  }

  /** Ends a request that failed: the packet of its message is sent, at once or when it arrives. */
  failed(id: string): void {
    this.#end(id);
  }

  /**
   * Whether the packet of a message is withheld because this socket sent it; true once per message. `release` sends the packet after all.
   */
  takes(id: string, release: () => void): boolean {
    const own = this.#messages.get(id);
    if (!own) return false;
    if (own.isAnswered) this.#messages.delete(id);
    else own.release = release;
    return true;
  }

  /** Called before a packet about an object is sent: the withheld packet of an unanswered message must precede packets that change it. */
  precede({ id, within }: About): void {
    if (this.#messages.size === 0) return;
    for (const one of [id, ...within]) if (this.#messages.get(one)?.release) this.#end(one);
  }

  #end(id: string): void {
    const release = this.#messages.get(id)?.release;
    this.#messages.delete(id);
    release?.();
  }
}
