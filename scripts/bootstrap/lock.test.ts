import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-lock-'));
const lock = path.join(folder, 'lock');
const journal = path.join(folder, 'journal');
const work = `
  const { withLock } = await import(${JSON.stringify(new URL('./lock.mjs', import.meta.url).href)});
  const { appendFileSync } = await import('node:fs');
  await withLock(process.argv[1], async () => {
    appendFileSync(process.argv[2], 'in ');
    await new Promise((resolve) => setImmediate(resolve));
    appendFileSync(process.argv[2], 'out ');
  });
`;

async function runWork(): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', work, lock, journal], {
    stdio: 'ignore',
  });
  expect((await once(child, 'exit'))[0]).toBe(0);
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('one works at a time, also after a holder that was killed', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(lock, String(pid));
  await Promise.all(Array.from({ length: 4 }, runWork));
  expect(readFileSync(journal, 'utf8')).toBe('in out '.repeat(4));
});
