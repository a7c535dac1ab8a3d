import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pinImage } from '../pin/pin-image.mjs';
import { DEPLOY_FOLDER } from './render.ts';

const TEXT = readFileSync(path.join(DEPLOY_FOLDER, 'overlays/production/kustomization.yaml'), 'utf8');
const DIGEST = `sha256:${'0a'.repeat(32)}`;

test('an overlay names its image by version and digest, and keeps everything else', () => {
  const pinned = pinImage(TEXT, `registry.example.org:5000/chat/parley:1.2.3@${DIGEST}`);
  const lines = [
    '    newName: registry.example.org:5000/chat/parley',
    '    newTag: 1.2.3',
    `    digest: ${DIGEST}`,
  ];
  expect(pinned.split('\n').filter((line) => !TEXT.includes(line))).toEqual(lines);
  expect(TEXT.split('\n').filter((line) => !pinned.includes(line)).length).toBe(2);
  expect(pinImage(pinned, `registry.example.org:5000/chat/parley:1.2.3@${DIGEST}`)).toBe(pinned);
});

test.each(['parley', 'parley:1.2.3', `parley@${DIGEST}`, 'parley:1.2.3@sha256:0a'])(
  'the reference %s is refused, since it lacks a version or a whole digest',
  (reference) => expect(() => pinImage(TEXT, reference)).toThrow('is not <name>:<version>@sha256:'),
);
