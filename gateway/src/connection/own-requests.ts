import type { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';

/** Beyond this number the sending socket gets the packets of its own requests too. */
const MAX_KEPT = 2_000;

/** Remembers what a client sent over its socket, so that only the user's other sockets get the packet. SPEC completions 6 */
export class OwnRequests {
  readonly #keys = new Set<string>();

  addReceipt(messageId: string, type: ReceiptType): void {
    this.#add(`${messageId} ${type}`);
  }

  /** Whether the client gave it; asked once for each, since a receipt is recorded once. */
  takeReceipt(messageId: string, type: ReceiptType): boolean {
    return this.#keys.delete(`${messageId} ${type}`);
  }

  addRequest(requestId: string): void {
    this.#add(requestId);
  }

  /** Whether the client asked for it; asked once for each. */
  takeRequest(requestId: string): boolean {
    return this.#keys.delete(requestId);
  }

  #add(key: string): void {
    const [oldest] = this.#keys;
    if (oldest !== undefined && this.#keys.size >= MAX_KEPT) this.#keys.delete(oldest);
    this.#keys.add(key);
  }
}
