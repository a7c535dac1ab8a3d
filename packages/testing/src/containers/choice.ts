import type { readConfig } from '../config.ts';

/** The servers that test files share. */
export const STORES = ['postgres', 'nats', 's3'] as const;
export type Store = (typeof STORES)[number];

/** The images that stores are started from; a store that is not here is embedded. */
export type Images = Partial<Record<Store, string>>;

/** Images of deploy/compose.yaml, and for S3 the images of the Ceph project. */
export const OFFICIAL_IMAGES: Record<Store, string> = {
  postgres: 'docker.io/library/postgres:17',
  nats: 'docker.io/library/nats:2.10.29-alpine',
  s3: 'quay.io/ceph/ceph:v20.2.3',
};

/** The images that the test run uses, by the answer of a container runtime. */
export type Choice = {
  images: Images;
  /** `DOCKER_HOST` of the runtime; undefined: testcontainers finds it by itself. */
  dockerHost?: string;
  /** A line for everything that is not as asked for. */
  notes: string[];
};

export const EMBEDDED: Choice = { images: {}, notes: [] };

type Config = ReturnType<typeof readConfig>;
type Asked = Pick<
  Config,
  | 'testContainers'
  | 'testPostgresImage'
  | 'testNatsImage'
  | 'testS3Image'
  | 'testPostgresUrl'
  | 'testNatsUrl'
  | 'testS3Endpoint'
>;

/** The images that a run asks for: none unless it asks for containers, and none of a store whose address is given. */
export function imagesAskedFor(config: Asked): Images {
  if (!config.testContainers) return {};
  const { testPostgresImage, testNatsImage, testS3Image } = config;
  const images: Images = {};
  if (!config.testPostgresUrl) images.postgres = testPostgresImage ?? OFFICIAL_IMAGES.postgres;
  if (!config.testNatsUrl) images.nats = testNatsImage ?? OFFICIAL_IMAGES.nats;
  if (!config.testS3Endpoint) images.s3 = testS3Image ?? OFFICIAL_IMAGES.s3;
  return images;
}

/**
 * Values of `DOCKER_HOST` to try, in order: the one that is given and no other, else what testcontainers finds by itself
 * (undefined: Docker's sockets) and then podman's sockets, those that exist.
 */
export function runtimesToTry(
  { dockerHost, runtimeDir }: Pick<Config, 'dockerHost' | 'runtimeDir'>,
  exists: (file: string) => boolean,
): (string | undefined)[] {
  if (dockerHost) return [dockerHost];
  const folders = [...(runtimeDir ? [runtimeDir] : []), '/run'];
  const sockets = folders.map((folder) => `${folder}/podman/podman.sock`);
  return [undefined, ...sockets.filter(exists).map((file) => `unix://${file}`)];
}

/** Answer of a runtime: the images that it cannot get, with the reason. */
export type Answer = { missing: Partial<Record<Store, string>> };

/** A run on a runtime that answered: a store whose image cannot be had stays embedded. */
export function chooseImages(asked: Images, dockerHost: string | undefined, answer: Answer): Choice {
  const had = STORES.filter((store) => asked[store] !== undefined && answer.missing[store] === undefined);
  const images = Object.fromEntries(had.map((store) => [store, asked[store]])) as Images;
  const notes = STORES.flatMap((store) => {
    const reason = answer.missing[store];
    return reason === undefined
      ? []
      : [`The image ${asked[store]} cannot be had, so ${NAMES[store]} is not a container: ${reason}`];
  });
  return { images, notes, ...(dockerHost !== undefined && { dockerHost }) };
}

/** The names of the stores in what is printed. */
export const NAMES: Record<Store, string> = { postgres: 'Postgres', nats: 'NATS', s3: 'S3' };
