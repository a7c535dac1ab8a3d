import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import {
  expoDatabase,
  fileFromUri,
  followAppState,
  registerDevicePush,
  sqliteStorage,
} from '../../src/react-native.ts';
import { openAsExpo } from './database.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-device-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('files by URI', () => {
  let bytes: string | undefined = 'a photo';
  // Node reads no files by URI: a server stands for the device's.
  const device = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg' });
    response.end(bytes);
  });
  let uri: string;
  beforeAll(async () => {
    device.listen(0, '127.0.0.1');
    await once(device, 'listening');
    uri = `http://127.0.0.1:${(device.address() as AddressInfo).port}/DCIM/my%20photo.jpg?size=full`;
  });
  afterAll(() => device.close());

  test('have the name and the type that the device knows, or those that are given', async () => {
    expect(await fileFromUri(uri)).toMatchObject({ name: 'my photo.jpg', type: 'image/jpeg', size: 7, uri });
    const named = await fileFromUri(uri, { name: 'cat.png', type: 'image/png' });
    expect(named).toMatchObject({ name: 'cat.png', type: 'image/png' });
    expect(await fileFromUri(uri.replace('%20', '%'))).toMatchObject({ name: 'my%photo.jpg' });
  });

  test('are kept as their URI, and are there again if the file is the same', async () => {
    const database = openAsExpo(path.join(folder, 'files.db'));
    const open = () => sqliteStorage(() => expoDatabase(database)).open('one');
    await (await open()).blobs?.put('upload', await fileFromUri(uri, { name: 'cat.jpg' }));
    const [row] = await database.getAllAsync('select uri, bytes from parley1_blob', []);
    expect(row).toEqual({ uri, bytes: null });
    const again = await (await open()).blobs?.get('upload');
    expect(again).toMatchObject({ name: 'cat.jpg', type: 'image/jpeg' });
    expect(await again?.text()).toBe('a photo');
    bytes = 'another photo';
    expect(await (await open()).blobs?.get('upload')).toBeUndefined();
    device.closeAllConnections();
    device.close();
    await once(device, 'close');
    expect(await (await open()).blobs?.get('upload')).toBeUndefined();
  });
});

describe('pushes', () => {
  async function registered(type: string, data: unknown, options?: { deviceId: string }) {
    const given: unknown[] = [];
    const push = {
      register: async (registration: unknown) => void given.push(registration),
      unregister: async () => undefined,
    };
    await registerDevicePush({ push }, { type, data }, options);
    return given;
  }

  test.each([
    ['ios', 'apns'],
    ['apns', 'apns'],
    ['android', 'fcm'],
    ['fcm', 'fcm'],
  ])('a token of %s is registered for %s', async (type, service) => {
    expect(await registered(type, 'token')).toEqual([{ token: 'token', type: service }]);
    expect(await registered(type, 'token', { deviceId: 'phone' })).toEqual([
      { token: 'token', type: service, deviceId: 'phone' },
    ]);
  });

  test.each([
    ['web', { endpoint: 'https://push.test' }],
    ['toString', 'token'],
    ['ios', undefined],
  ])('a token of %s with %j is refused', async (type, data) => {
    await expect(registered(type, data)).rejects.toThrow(TypeError);
  });
});

test('the client is connected while the application is looked at', () => {
  const called: string[] = [];
  const listeners = new Set<(state: string) => void>();
  const stop = followAppState(
    { connect: () => called.push('connect'), disconnect: () => called.push('disconnect') },
    {
      addEventListener(_, listener) {
        listeners.add(listener);
        return { remove: () => listeners.delete(listener) };
      },
    },
  );
  for (const state of ['inactive', 'background', 'inactive', 'active'])
    for (const listener of listeners) listener(state);
  expect(called).toEqual(['disconnect', 'connect']);
  stop();
  expect(listeners.size).toBe(0);
});
