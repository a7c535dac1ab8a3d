import { knownPushHost } from './push-hosts.ts';

const PATTERNS = ['push.example', '*.push.example.net'];

test.each([
  ['https://push.example/one', 'push.example'],
  ['https://PUSH.example:8443/one', 'push.example'],
  ['https://eu.push.example.net/one', '*.push.example.net'],
  ['https://a.eu.push.example.net/one', '*.push.example.net'],
  ['https://push.example.net/one', undefined],
  ['https://evilpush.example.net/one', undefined],
  ['https://push.example.evil.net/one', undefined],
  ['https://push.example@evil.net/one', undefined],
  ['https://evil.net/push.example', undefined],
  ['https://evil.net\\\\.push.example.net', undefined],
  ['https://push.example./one', undefined],
  ['http://push.example/one', undefined],
  ['push.example', undefined],
])('the endpoint %s belongs to %s', (endpoint, expected) => {
  expect(knownPushHost(PATTERNS, endpoint)).toBe(expected);
});
