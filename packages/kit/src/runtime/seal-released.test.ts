import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { lastRelease, readReleased } from '@parley/stack/release';
import { describeWith } from '@parley/testing';
import { createSealer, type Sealer } from './seal.ts';

// docs/decisions/deploying.md#key-ids-in-ciphertexts

const KEY = 'a key that is hard to guess';
const PURPOSE = 'tests';
const CONTEXT = 'webhook 1';

describeWith('history', 'sealed texts', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'parley-seal-'));
    writeFileSync(path.join(folder, 'seal.ts'), readReleased(lastRelease(), 'packages/kit/src/seal.ts'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Whether the last release opens what `sealer` seals. The release before key ids takes a key instead of a list. */
  function opensInLastRelease(sealer: Sealer): boolean {
    const sealed = sealer.seal('text', CONTEXT).toString('base64');
    const script = `
      import { createSealer } from ${JSON.stringify(pathToFileURL(path.join(folder, 'seal.ts')).href)};
      for (const keys of [${JSON.stringify(KEY)}, [${JSON.stringify(KEY)}]]) {
        try {
          const opened = createSealer(keys, '${PURPOSE}').open(Buffer.from('${sealed}', 'base64'), '${CONTEXT}');
          if (opened === 'text') console.log('opened');
        } catch {}
      }`;
    const args = ['--no-warnings', '--input-type=module', '--eval', script];
    return execFileSync(process.execPath, args, { encoding: 'utf8' }) === 'opened\n';
  }

  test('the last release opens what this one seals', () => {
    expect(opensInLastRelease(createSealer([KEY], PURPOSE))).toBe(true);
  });

  test('a single key is named as soon as the last release opens texts with the id of a key', () => {
    const naming = createSealer([KEY], PURPOSE, { namesKey: true });
    const names = createSealer([KEY], PURPOSE).head.equals(naming.head);
    expect(names).toBe(opensInLastRelease(naming));
  });
});
