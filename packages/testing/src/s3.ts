import { installCeph } from './ceph/packages.ts';
import { readConfig } from './config.ts';
import { startCeph, type S3Access } from './ceph.ts';
import { chosenImage } from './containers/prepare.ts';
import { startStore } from './containers/start.ts';
import { isAvailable } from './optional.ts';
import { sharedServer } from './shared.ts';

/**
 * Installs Ceph once before the tests, where `PARLEY_TEST_S3=ceph` asks for it. Returns a line that says what the S3
 * tests run on.
 */
export async function prepareS3(): Promise<string> {
  const { testS3Endpoint, testS3 } = readConfig();
  if (testS3Endpoint) return 'the one of the environment';
  const reason = testS3 === 'ceph' ? await installCeph() : undefined;
  const image = chosenImage('s3');
  if (image !== undefined && isAvailable('s3')) return `container ${image}`;
  if (isAvailable('ceph')) return 'Ceph';
  return reason ? `none (${reason})` : 'none';
}

/** A real S3 server that the test run shares, for tests under `describeWith('s3', …)`. */
export async function testS3(): Promise<S3Access> {
  const { testS3Endpoint: endpoint, testS3Region, testS3AccessKey, testS3SecretKey } = readConfig();
  if (endpoint) {
    return {
      endpoint,
      region: testS3Region,
      accessKey: testS3AccessKey ?? '',
      secretKey: testS3SecretKey ?? '',
    };
  }
  const described = await sharedServer('s3', (folder) =>
    startStore('s3', folder, async () => {
      const { access } = await startCeph({ folder });
      return { url: JSON.stringify(access) };
    }),
  );
  return JSON.parse(described) as S3Access;
}
