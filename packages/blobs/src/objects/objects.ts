/**
 * Small objects under keys, as they are in a bucket: each is written once, whole, and stays until it is removed. Keys are those of blobs.
 * Every call fails with a ConnectError: Unavailable when the store cannot be reached or is full, NotFound when there is no such object.
 */
export interface Objects {
  /** Stores an object; resolves once it is durable. The same key with the same bytes may be put again. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<Uint8Array>;
  /** Lists at most `limit` keys that begin with `prefix` and come after `after`, in the order of their bytes. */
  list(page: { prefix: string; after: string; limit: number }): Promise<string[]>;
  /** Idempotent. */
  remove(key: string): Promise<void>;
}
