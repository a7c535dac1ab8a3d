import type { ErrorDoc } from './error-doc.ts';

/** Errors that pass: limits and outages. */
export const availabilityDocs = {
  service_unavailable: {
    cause:
      'A service of the platform is down or restarting, or its queue is full. The request had no effect, or one that a repetition finds.',
    example: {
      caller: { user: 'ada' },
      given: 'The messaging service is being restarted.',
      method: 'GET',
      path: '/conversations',
      data: { retry_after_seconds: 1 },
    },
    remedy:
      'Repeat the request after the time in Retry-After, then after twice that time, and so on. Send POST requests with an Idempotency-Key, or an `id` in the body, so that a repetition has no second effect.',
  },
  rate_limit_exceeded: {
    cause:
      'The session, the access token or the address has sent more requests than its limit allows, or has too many under way; or the Idempotency-Keys of the application take all the bytes that they may. `data.policy` names the limit.',
    example: {
      caller: { user: 'ada' },
      given: 'Too many requests of the user are under way.',
      method: 'GET',
      path: '/conversations',
      message: 'Too many requests at once.',
      data: { policy: 'concurrency', retry_after_seconds: 1 },
    },
    remedy:
      'Wait for the time in Retry-After, which `data.retry_after_seconds` repeats, and send fewer requests at once.',
  },
  quota_exceeded: {
    cause:
      'The application or the user has as much as a quota allows: content to which no message refers, with uploads under way by their declared size (`data.quota` and `data.limit`). What exists stays usable.',
    example: {
      caller: { user: 'ada' },
      given: 'Ada has uploaded 4 GiB that she has not sent.',
      method: 'POST',
      path: '/content',
      headers: { 'Upload-Content-Type': 'video/mp4', 'Upload-Content-Length': '1' },
      message: 'Content to which no message refers may have 4294967296 bytes, uploads under way included.',
      data: { quota: 'unreferenced_bytes_of_user', limit: 4_294_967_296, resets_at: null },
    },
    remedy:
      'Send messages that refer to what is uploaded, cancel uploads that are no longer wanted (`DELETE` of their addresses), or wait: content without a message is deleted after a day, and an unfinished upload after seven.',
  },
  request_timeout: {
    cause: 'The client took more than a minute to send the request.',
    example: {
      caller: { user: 'ada' },
      given: 'The connection stalls before the end of the body.',
      method: 'POST',
      path: '/conversations',
      body: '{"participants": [',
      data: null,
    },
    remedy: 'Repeat the request on a new connection.',
  },
  internal_server_error: {
    cause: 'The platform has a fault. Its log has the details under the X-Request-Id of the answer.',
    example: {
      caller: { user: 'ada' },
      given: 'The platform fails in an unforeseen way.',
      method: 'GET',
      path: '/conversations',
      data: null,
    },
    remedy: 'Tell the operator the X-Request-Id. A repetition may succeed.',
  },
} as const satisfies Record<string, ErrorDoc>;
