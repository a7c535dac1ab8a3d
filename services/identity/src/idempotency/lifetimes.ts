/** How long an idempotency key is remembered. docs/protocol/requests.md#repeating-a-request */
export const KEY_LIFETIME_MS = 86_400_000;

/** Records of performed operations outlive their keys, since an attempt may begin just before its key expires. */
export const PERFORMED_LIFETIME_MS = KEY_LIFETIME_MS + 600_000;
