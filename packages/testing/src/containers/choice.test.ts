import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '@parley/stack/config';
import { readConfig } from '../config.ts';
import { chooseImages, imagesAskedFor, OFFICIAL_IMAGES, runtimesToTry } from './choice.ts';

test.each([
  ['nothing', {}, {}],
  ['a setting that is not 1', { PARLEY_TEST_CONTAINERS: '0' }, {}],
  ['images alone', { PARLEY_TEST_NATS_IMAGE: 'local/nats:1' }, {}],
  ['containers', { PARLEY_TEST_CONTAINERS: '1' }, OFFICIAL_IMAGES],
  [
    'containers from images of its own',
    {
      PARLEY_TEST_CONTAINERS: '1',
      PARLEY_TEST_POSTGRES_IMAGE: 'local/postgres:1',
      PARLEY_TEST_NATS_IMAGE: 'local/nats:1',
      PARLEY_TEST_S3_IMAGE: 'local/s3:1',
    },
    { postgres: 'local/postgres:1', nats: 'local/nats:1', s3: 'local/s3:1' },
  ],
  [
    'containers beside given addresses',
    {
      PARLEY_TEST_CONTAINERS: '1',
      PARLEY_TEST_POSTGRES_URL: 'postgres://elsewhere',
      PARLEY_TEST_S3_ENDPOINT: 'http://elsewhere',
    },
    { nats: OFFICIAL_IMAGES.nats },
  ],
])('an environment with %s asks for its images', (_, env, images) => {
  expect(imagesAskedFor(readConfig(env))).toEqual(images);
});

test.each([
  [
    'DOCKER_HOST alone',
    { DOCKER_HOST: 'tcp://elsewhere:2375', XDG_RUNTIME_DIR: '/run/user/7' },
    ['tcp://elsewhere:2375'],
  ],
  [
    "Docker, then podman's sockets, the user's first",
    { XDG_RUNTIME_DIR: '/run/user/7' },
    [undefined, 'unix:///run/user/7/podman/podman.sock', 'unix:///run/podman/podman.sock'],
  ],
  ["Docker, then the system's podman", {}, [undefined, 'unix:///run/podman/podman.sock']],
])('runtimes are tried in order: %s', (_, env, hosts) => {
  expect(runtimesToTry(readConfig(env), () => true)).toEqual(hosts);
});

test('a socket of podman that does not exist is not tried', () => {
  expect(runtimesToTry(readConfig({ XDG_RUNTIME_DIR: '/run/user/7' }), () => false)).toEqual([undefined]);
});

test('a store whose image cannot be had stays embedded, and a note says why', () => {
  const asked = { postgres: 'local/postgres:1', nats: 'local/nats:1' };
  const answer = { missing: { nats: 'no such image' } };
  expect(chooseImages(asked, 'unix:///run/podman/podman.sock', answer)).toEqual({
    images: { postgres: 'local/postgres:1' },
    dockerHost: 'unix:///run/podman/podman.sock',
    notes: ['The image local/nats:1 cannot be had, so NATS is not a container: no such image'],
  });
});

test.each(['postgres', 'nats'] as const)(
  'the official image of %s is the one of the compose file',
  (store) => {
    const compose = readFileSync(path.join(REPOSITORY, 'deploy', 'compose.yaml'), 'utf8');
    expect(compose).toContain(`image: ${OFFICIAL_IMAGES[store]}\n`);
  },
);
