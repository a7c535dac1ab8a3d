import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DEPLOY_FOLDER } from './render.ts';

const REPOSITORY = path.dirname(DEPLOY_FOLDER);
const IMAGE = /\bnats:(\d+\.[\w.-]*)/g;
/** The first release that does not lose a stream when the power fails: nats-io/nats-server#6888. */
const LEAST = [2, 10, 23];
/** Servers from Debian's packages, which may not know the setting, for trying the manifests and for tests: nothing of theirs is kept. */
const WITHOUT_INTERVAL = ['deploy/podman/stores.yaml', 'packages/testing/src/containers/spec.ts'];

function filesWith(text: string): string[] {
  const args = ['grep', '-lIF', '-e', text, '--', '.', ':!CHANGELOG.md', ':!*.test.ts'];
  return execFileSync('git', args, { cwd: REPOSITORY, encoding: 'utf8' }).trim().split('\n');
}

const images = filesWith('nats:2').flatMap((file) =>
  [...readFileSync(path.join(REPOSITORY, file), 'utf8').matchAll(IMAGE)].map(([, tag = '']) => [file, tag]),
);

test.each(images)(
  '%s names an image of NATS, %s, that keeps a stream through a loss of power',
  (_, tag = '') => {
    const version = /^(\d+)\.(\d+)\.(\d+)(?![\d.])/.exec(tag)?.slice(1).map(Number) ?? [];
    const isLess = version
      .map((number, index) => number - (LEAST[index] ?? 0))
      .find((difference) => difference !== 0);
    expect({ tag, isPinned: version.length === 3, isLateEnough: (isLess ?? 0) >= 0 }).toEqual({
      ...{ tag, isPinned: true, isLateEnough: true },
    });
  },
);

test('every configuration of a server with JetStream has it write to the disk each second', () => {
  const starts = [...filesWith('nats-server -js'), ...filesWith('max_file_store'), ...filesWith("'-js'")];
  const without = starts.filter(
    (file) => !/sync_interval: "?1s/.test(readFileSync(path.join(REPOSITORY, file), 'utf8')),
  );
  expect(without).toEqual(WITHOUT_INTERVAL);
});
