import fc, { type Arbitrary } from 'fast-check';
import { bentText } from './values.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** Sometimes another value than the usual one. */
export function mostly<T>(usual: Arbitrary<T>, bent: Arbitrary<T>, weight = 12): Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: bent });
}

/** Text that is no JSON, or hardly. */
export const GARBAGE = [
  '',
  '{',
  '[',
  '"',
  'nonsense',
  '\u0000',
  '{"a":',
  '[]]',
  '{"a":1,}',
  '\ufeff{}',
  '{}{}',
  'NaN',
];

/** A segment of a path, or a part of a query. */
export const bentSegment = fc.oneof(
  bentText.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('%', '%00', '%ff', '%zz', '%ed%a0%80', '%2e%2e', '%2F', '..', '.', '', '*', "'"),
);

export const HEADERS = [
  ...[
    'accept',
    'authorization',
    'content-type',
    'if-none-match',
    'idempotency-key',
    'x-request-id',
    'traceparent',
  ],
  ...[
    'tracestate',
    'upload-content-type',
    'upload-content-length',
    'upload-content-filename',
    'upload-origin',
    'x-http-method-override',
  ],
  ...[
    'origin',
    'range',
    'x-forwarded-for',
    'cookie',
    'access-control-request-method',
    'accept-encoding',
    'client-id',
  ],
];

export const bentHeader = fc.oneof(
  bentText,
  fc.constantFrom(
    '*/*',
    'a;q=0',
    '"',
    "''",
    'Bearer',
    'Bearer ',
    'Svc session-token=',
    '[object Object]',
    'PATCH',
    '\xff',
  ),
);

export const bentHeaders = fc.dictionary(fc.constantFrom(...HEADERS), bentHeader, { maxKeys: 3 });
