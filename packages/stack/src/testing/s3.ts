import { installCeph, isCephInstalled } from '../ceph/packages.ts';
import { readConfig } from '../config.ts';
import { startCeph, type S3Access } from './ceph.ts';
import { sharedServer } from './shared.ts';

// Before the tests, once: where `PARLEY_TEST_S3=ceph` or a CI asks for it, Ceph is installed. Gives a line that says what the
// S3 tests run on, or why they do not run.
export async function prepareS3(): Promise<string> {
  const { testS3Endpoint, testS3 } = readConfig();
  if (testS3Endpoint) return 'the one of the environment';
  const reason = testS3 === 'ceph' ? await installCeph() : missing();
  return reason ? `NOT TESTED, ${reason}` : 'Ceph';
}

function missing(): string | undefined {
  if (isCephInstalled()) return undefined;
  return 'since Ceph is not installed: PARLEY_TEST_S3=ceph installs it (Debian, as root)';
}

// A real S3 server that the test run shares; undefined where none can be had, which was said before the tests.
export async function testS3(): Promise<S3Access | undefined> {
  const { testS3Endpoint: endpoint, testS3AccessKey, testS3SecretKey } = readConfig();
  if (endpoint) {
    return {
      endpoint,
      region: 'us-east-1',
      accessKey: testS3AccessKey ?? '',
      secretKey: testS3SecretKey ?? '',
    };
  }
  if (!isCephInstalled()) return undefined;
  const described = await sharedServer('s3', async (folder) => {
    const { access } = await startCeph({ folder });
    return { url: JSON.stringify(access) };
  });
  return JSON.parse(described) as S3Access;
}
