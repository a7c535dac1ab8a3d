import { CLOSE_CODES as DESCRIBED } from '@parley/contract/socket/close-codes';
import { CLOSE_CODES } from './connection.ts';

test('every code that a socket is closed with is described to clients', () => {
  expect(Object.keys(DESCRIBED)).toEqual(expect.arrayContaining(Object.values(CLOSE_CODES).map(String)));
});
