import type { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';

/** More that are under way at once are told to their giver too. */
const MOST = 2_000;

/** Receipts that a client gave over its socket: only the user's other sockets are told of them. SPEC completions 6 */
export class SaidReceipts {
  readonly #receipts = new Set<string>();

  add(messageId: string, type: ReceiptType): void {
    const [oldest] = this.#receipts;
    if (oldest !== undefined && this.#receipts.size >= MOST) this.#receipts.delete(oldest);
    this.#receipts.add(`${messageId} ${type}`);
  }

  /** Whether the client gave it; asked once for each, since a receipt is recorded once. */
  take(messageId: string, type: ReceiptType): boolean {
    return this.#receipts.delete(`${messageId} ${type}`);
  }
}
