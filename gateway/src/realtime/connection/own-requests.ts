import type { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';

/** Above this number a socket may get packets of its own requests. */
const MAX_KEPT = 2_000;

/** Receipts and requests of a socket, whose packets go only to the user's other sockets. docs/protocol/websocket.md#requests */
export class OwnRequests {
  readonly #keys = new Set<string>();

  addReceipt(messageId: string, type: ReceiptType): void {
    this.#add(`${messageId} ${type}`);
  }

  /** Whether the receipt came over this socket; true once per receipt, since a receipt is recorded once. */
  takeReceipt(messageId: string, type: ReceiptType): boolean {
    return this.#keys.delete(`${messageId} ${type}`);
  }

  addRequest(requestId: string): void {
    this.#add(requestId);
  }

  /** Whether the request came over this socket; true once per request. */
  takeRequest(requestId: string): boolean {
    return this.#keys.delete(requestId);
  }

  #add(key: string): void {
    const [oldest] = this.#keys;
    if (oldest !== undefined && this.#keys.size >= MAX_KEPT) this.#keys.delete(oldest);
    this.#keys.add(key);
  }
}
