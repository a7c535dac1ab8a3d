import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundleChat, CHAT } from './chat.ts';
import { isUpToDate } from './inputs.ts';
import { REPOSITORY } from './paths.ts';

/** Ten KB more than before the components had reactions, roles and restrictions. */
const LARGEST_FIRST_LOAD_BYTES = 170 * 1024;

test('the first load of the chat has at most 170 KB, and it is not built again without a change', async () => {
  await bundleChat();
  expect(isUpToDate(CHAT, 'index.html')).toBe(true);
  const dist = path.join(REPOSITORY, CHAT, 'dist');
  const page = readFileSync(path.join(dist, 'index.html'), 'utf8');
  const named = [...page.matchAll(/"\/demo\/assets\/([^"]+)"/g)].map(([, name]) => `${name}.gz`);
  // A browser fetches the service worker when its user switches notifications on.
  expect([...named, 'worker.js.gz'].toSorted()).toEqual(
    readdirSync(dist)
      .filter((name) => name.endsWith('.gz'))
      .toSorted(),
  );
  const sizes = named.map((name) => statSync(path.join(dist, name)).size);
  const size = gzipSync(page).length + sizes.reduce((sum, one) => sum + one, 0);
  expect(sizes).toHaveLength(2);
  expect(size).toBeLessThanOrEqual(LARGEST_FIRST_LOAD_BYTES);
});
