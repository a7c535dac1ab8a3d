import type { IncomingMessage } from 'node:http';
import { isConsoleHost } from './console-host.ts';

const APART = { consoleUrl: 'https://console.example.com', publicUrl: 'https://parley.example.com' };
const LOCAL = { consoleUrl: 'http://127.0.0.1:8080', publicUrl: 'http://127.0.0.1:8080' };
const SHARED = { consoleUrl: 'https://parley.example.com', publicUrl: 'https://parley.example.com' };
const NONE = { consoleUrl: undefined, publicUrl: 'https://parley.example.com' };

test.each([
  ['console.example.com', APART, true],
  ['CONSOLE.example.com:443', APART, true],
  ['console.example.com.evil.test', APART, false],
  ['parley.example.com', APART, false],
  ['', APART, false],
  ['a b', APART, false],
  ['127.0.0.1:8080', LOCAL, false],
  ['parley.example.com', SHARED, false],
  ['console.example.com', NONE, false],
])('%j with %j is the host of the console alone: %s', (host, addresses, expected) => {
  expect(isConsoleHost({ headers: { host } } as IncomingMessage, addresses)).toBe(expected);
});
