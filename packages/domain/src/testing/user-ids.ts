import fc from 'fast-check';
import { isUserId } from '../user-id.ts';

/** Ids that something may take for more than a name: structure of a path, of a URI, of a key, of an object. */
export const ODD_NAMES = [
  ...[
    '.',
    '..',
    '...',
    '/',
    '//',
    '/..',
    '../',
    '..;',
    '\\',
    '..\\',
    '%2e',
    '%2e%2e',
    '.%2E',
    '%2f',
    '%',
    '%zz',
  ],
  ...[
    '?',
    '#',
    ';',
    ':',
    '@',
    '&',
    '=',
    '+',
    '*',
    '>',
    'a b',
    ' ',
    ' a',
    'a ',
    '\u00a0',
    '\ufeff',
    '\u2028',
    '\u202e',
  ],
  ...[
    'svc:///identities/alice',
    'svc:///identities/..',
    'svc:///identities/',
    'svc:///',
    'SVC:///identities/alice',
  ],
  ...['svc:///identities/svc%3A%2F%2F%2Fidentities%2Falice', 'svc:///messages/x', 'chat:///identities/alice'],
  ...[
    'x:///y',
    'é:///y',
    'a.b-c+d_e:///',
    'http://x/y',
    ':///x',
    'svc:/identities/alice',
    'svc%3A///identities/alice',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    'true',
    '0',
    '-1',
    '[]',
    '{}',
  ],
  ...[
    'recipient_status.x',
    'a\\.b',
    '*',
    'identity',
    'users',
    'e\u0301',
    'é',
    'É',
    'ǅ',
    'ﬀ',
    'I',
    'ı',
    '😀'.repeat(256),
  ],
  ...['a'.repeat(256), '.'.repeat(256), '/'.repeat(256), `svc:///${'a'.repeat(249)}`],
];

/** Every text that a user may have as an id, also those that no new user gets; odd ones often. */
export function anyUserId(): fc.Arbitrary<string> {
  const pieces = fc.constantFrom(
    ...ODD_NAMES.filter((name) => name.length < 40),
    'a',
    'svc',
    ':///',
    'identities',
  );
  return fc
    .oneof(
      fc.constantFrom(...ODD_NAMES),
      fc.array(pieces, { minLength: 1, maxLength: 5 }).map((some) => some.join('')),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 256 }),
    )
    .filter(isUserId);
}
