import path from 'node:path';

/** Environment variables of a test run, read at each call, since the run sets some of them after the modules load. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  return {
    searchPath: (env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== ''),
    // Handed on to the processes that tests start.
    inherited: env,
    // The address of a superuser of a server that runs; it is taken instead of an own server or a container.
    testPostgresUrl: env.PARLEY_TEST_POSTGRES_URL,
    // A NATS server with JetStream, for one worker only (`--maxWorkers 1`).
    testNatsUrl: env.PARLEY_TEST_NATS_URL,
    // A database on the coordinator of a Citus cluster, whose user may create databases, for tests of cells.
    testCitusUrl: env.PARLEY_TEST_CITUS_URL,
    // An S3 server, with its region and its two keys.
    testS3Endpoint: env.PARLEY_TEST_S3_ENDPOINT,
    testS3Region: env.PARLEY_TEST_S3_REGION || 'us-east-1',
    testS3AccessKey: env.PARLEY_TEST_S3_ACCESS_KEY,
    testS3SecretKey: env.PARLEY_TEST_S3_SECRET_KEY,
    // Whether tests take their servers from containers, where a runtime answers.
    testContainers: env.PARLEY_TEST_CONTAINERS === '1',
    // Images instead of those in containers/choice.ts: Postgres 15 to 18 as the official image, one whose entrypoint is nats-server,
    // one with the daemons of Ceph.
    testPostgresImage: env.PARLEY_TEST_POSTGRES_IMAGE || undefined,
    testNatsImage: env.PARLEY_TEST_NATS_IMAGE || undefined,
    testS3Image: env.PARLEY_TEST_S3_IMAGE || undefined,
    // The runtime; without it Docker's sockets are tried, then those of podman in this folder and in /run.
    dockerHost: env.DOCKER_HOST || undefined,
    runtimeDir: env.XDG_RUNTIME_DIR || undefined,
    // 'ceph': it may be installed for the tests.
    testS3: env.PARLEY_TEST_S3,
    // Optional programs that a test run does without, as on a machine that lacks them.
    testWithout: (env.PARLEY_TEST_WITHOUT ?? '').split(','),
    // The path of a Chromium for the browser tests.
    testChromium: env.PARLEY_TEST_CHROMIUM || undefined,
    // The folder that all workers of one test run share.
    testFolder: env.PARLEY_TEST_FOLDER,
    // Which of the workers of a test run this process is.
    testWorker: env.JEST_WORKER_ID || '1',
  };
}

/** Sets the shared folder for this process and the workers that it starts, unless it is set already. */
export function shareTestFolder(choose: () => string): void {
  process.env.PARLEY_TEST_FOLDER ??= choose();
}
