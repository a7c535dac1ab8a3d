/**
 * Headers of every answer of every listener, unless the answer sets another value: nothing is cached, since answers are for one caller, and
 * browsers do not guess media types. Names in lower case. docs/protocol/requests.md#headers-of-answers
 */
export const ANSWER_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;
