import { isOrigin, requireAllowedOrigin } from './origins.ts';
import { failureOf } from '../testing/failure.ts';

test.each([
  ['https://app.example', true],
  ['http://localhost:3000', true],
  ['https://app.example/', false],
  ['https://app.example:443', false],
  ['https://App.example', false],
  ['app.example', false],
  ['ftp://app.example', false],
  ['null', false],
  ['*', false],
  ['', false],
])('%j is an origin: %s', (text, expected) => {
  expect(isOrigin(text)).toBe(expected);
});

const allowed = ['https://app.example', 'http://localhost:3000'];

test.each([
  ['none: it is no page', undefined],
  ['one of the list', 'https://app.example'],
  ['one of the list with its port', 'http://localhost:3000'],
  ['one of the list in another spelling', 'HTTPS://APP.example:443'],
])('an origin passes: %s', (_case, origin) => {
  expect(() => requireAllowedOrigin(allowed, origin)).not.toThrow();
});

test.each([
  'https://evil.example',
  'http://app.example',
  'https://app.example:8443',
  'https://app.example.evil.example',
  'http://localhost',
  'null',
  'capacitor://localhost',
  'nonsense',
  '',
])('an origin is refused: %j', (origin) => {
  expect(failureOf(() => requireAllowedOrigin(allowed, origin))).toBe('access_denied');
});

test('an empty list allows every origin', () => {
  expect(() => requireAllowedOrigin([], 'https://anyone.example')).not.toThrow();
});
