import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  int,
  listenPort,
  optionalListenPort,
  readEnv,
  rpcAddress,
  secret,
  secrets,
  str,
  url,
} from './env.ts';

test('variables are read by their validators, and the result is frozen', () => {
  const env = readEnv(
    {
      PORT: listenPort(),
      LEVEL: str({ choices: ['info', 'warn'], default: 'info' }),
      FACTOR: int({ max: 5 })({ default: 1 }),
    },
    { PORT: '8080', FACTOR: '3', OTHER: 'ignored' },
  );
  expect(env).toEqual({ PORT: 8080, LEVEL: 'info', FACTOR: 3 });
  expect(Object.isFrozen(env)).toBe(true);
});

test('every bad variable is reported at once, without the value of a secret', () => {
  const read = () =>
    readEnv(
      { PORT: listenPort(), SECRET: secret(), DATABASE: url(), ADDRESS: rpcAddress(), GOOD: str() },
      { PORT: '70000', SECRET: 'hush', ADDRESS: 'messaging', GOOD: 'yes' },
    );
  expect(read).toThrow(
    /PORT: .*"70000".*; SECRET: has fewer than 16 characters; DATABASE: is required; ADDRESS: not host:port/,
  );
  expect(read).not.toThrow(/hush|GOOD/);
});

test('a bad address is not shown, for the sake of its password', () => {
  expect(() => readEnv({ DATABASE: url() }, { DATABASE: '//parley:hush@host' })).toThrow(
    /^(?!.*hush).*DATABASE: not an/,
  );
});

test('an empty variable counts as absent', () => {
  expect(readEnv({ NAME: str({ default: 'svc' }) }, { NAME: '' })).toEqual({ NAME: 'svc' });
  expect(() => readEnv({ NAME: str() }, { NAME: '' })).toThrow('NAME: is required');
});

test.each(['-2', '1.5', 'x', '65536', ' '])('%p is no port', (PORT) => {
  expect(() => readEnv({ PORT: optionalListenPort() }, { PORT })).toThrow('PORT');
});

test.each([
  ['-1', -1],
  ['0', 0],
  ['65535', 65_535],
])('%p is a port', (PORT, value) => {
  expect(readEnv({ PORT: optionalListenPort() }, { PORT })).toEqual({ PORT: value });
});

test.each(['a:1', 'a:1,b-c.d:22', 'dns:///messaging:7000', '[::1]:80'])('%p is an address', (ADDRESS) => {
  expect(readEnv({ ADDRESS: rpcAddress() }, { ADDRESS })).toEqual({ ADDRESS });
});

test.each(['a', 'a:', 'http://a:1', 'a:1,,b:2'])('%p is not an address', (ADDRESS) => {
  expect(() => readEnv({ ADDRESS: rpcAddress() }, { ADDRESS })).toThrow('ADDRESS');
});

test('several secrets are separated by commas, and a bad one is not shown', () => {
  const read = (SECRETS: string) => readEnv({ SECRETS: secrets({ default: [] }) }, { SECRETS }).SECRETS;
  expect(read('0123456789abcdef, fedcba9876543210')).toEqual(['0123456789abcdef', 'fedcba9876543210']);
  expect(read('')).toEqual([]);
  expect(() => read('0123456789abcdef,hush')).toThrow(/^(?!.*hush).*fewer than 16/);
});

describe('a value in a file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-env-'));
  const file = path.join(folder, 'secret');
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = (source: Record<string, string>) => readEnv({ SECRET: secret() }, source);

  test('is read without the line break at its end', () => {
    writeFileSync(file, '0123456789abcdef\n');
    expect(read({ SECRET_FILE: file })).toEqual({ SECRET: '0123456789abcdef' });
  });

  test('is checked, and not shown', () => {
    writeFileSync(file, 'hush\n');
    expect(() => read({ SECRET_FILE: file })).toThrow(/^(?!.*hush).*SECRET: has fewer than 16/);
    writeFileSync(file, '');
    expect(() => read({ SECRET_FILE: file })).toThrow('SECRET: is required');
  });

  test('must be there, and must not stand in the variable too', () => {
    expect(() => read({ SECRET_FILE: path.join(folder, 'none') })).toThrow(
      'SECRET: cannot be read from its file: ENOENT',
    );
    expect(() => read({ SECRET_FILE: file, SECRET: '0123456789abcdef' })).toThrow('SECRET: is given twice');
  });

  test('is not looked for where the variable of the file is empty', () => {
    expect(read({ SECRET_FILE: '', SECRET: '0123456789abcdef' })).toEqual({ SECRET: '0123456789abcdef' });
  });
});
