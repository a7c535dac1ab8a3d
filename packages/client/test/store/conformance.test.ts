import 'fake-indexeddb/auto';
import { storageConformance } from '../../src/store/conformance.ts';
import { indexedDbStorage } from '../../src/store/indexeddb.ts';
import { memoryStorage } from '../../src/store/memory.ts';

describe.each([
  ['memory', memoryStorage()],
  ['IndexedDB', indexedDbStorage()],
])('the storage in %s', (_, storage) => {
  test.each(storageConformance().map(({ name, run }) => [name, run] as const))('%s', (_, run) =>
    run(storage),
  );
});
