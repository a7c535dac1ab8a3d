/**
 * Headers of every answer of every listener, unless the answer has another value: caches keep nothing, since answers are for one caller,
 * and browsers take no media type but the one that is named. Names in lower case. docs/protocol/requests.md#headers-of-answers
 */
export const ANSWER_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;
