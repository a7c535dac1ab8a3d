import 'fake-indexeddb/auto';
import { storageConformance } from './conformance.ts';
import { indexedDbStorage } from './indexeddb.ts';
import { memoryStorage } from './memory.ts';

describe.each([
  ['memory', memoryStorage()],
  ['IndexedDB', indexedDbStorage()],
])('the storage in %s', (_, storage) => {
  test.each(storageConformance().map(({ name, run }) => [name, run] as const))('%s', (_, run) =>
    run(storage),
  );
});
