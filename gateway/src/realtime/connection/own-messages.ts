import type { About } from './gone-objects.ts';

/** Above this number of messages a socket may get packets of its own. */
const MAX_KEPT = 2_000;

/** A message that the socket has sent. `isAnswered`: its sender has been told so. `release`: sends its packet, which came before the answer. */
type Own = { isAnswered: boolean; release: (() => void) | undefined };

/**
 * Messages that a socket has sent. The answer says all that their packets would; a message whose answer is an error may be stored all the
 * same, and then its packet tells of it. docs/protocol/lean-packets.md#sending
 */
export class OwnMessages {
  readonly #messages = new Map<string, Own>();

  /** Notes a message before it is sent. */
  begin(id: string): void {
    // A request that is repeated while the first one is under way.
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

  /** Whether the socket does without the packet of a message, which is its own; true once. `release` sends it after all. */
  takes(id: string, release: () => void): boolean {
    const own = this.#messages.get(id);
    if (!own) return false;
    if (own.isAnswered) this.#messages.delete(id);
    else own.release = release;
    return true;
  }

  /** Called before a packet about an object is sent: the packet of a message without an answer comes before those that change it. */
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
