import { readConfig, shareTestFolder } from './config.ts';
import { prepareContainers } from './containers/prepare.ts';
import { processFolder } from '@parley/stack/process-folder';
import { prepareS3 } from './s3.ts';

/**
 * Jest's globalSetup: the servers that tests share belong to the whole run, not to one worker. They start when a test
 * first asks for one, and end with Jest's own process, however that ends.
 */
export default async function setUp(): Promise<void> {
  shareTestFolder(processFolder);
  const { testPostgresUrl, testNatsUrl, testFolder } = readConfig();
  const { images, notes } = await prepareContainers(testFolder ?? processFolder());
  for (const note of notes) process.stderr.write(`PARLEY_TEST_CONTAINERS: ${note}\n`);
  const chosen = (given: string | undefined, image: string | undefined) => {
    if (given) return 'the one of the environment';
    return image === undefined ? 'embedded' : `container ${image}`;
  };
  const postgres = chosen(testPostgresUrl, images.postgres);
  const nats = chosen(testNatsUrl, images.nats);
  const others = Object.keys(images).length > 0 ? "; servers of a test's own embedded" : '';
  process.stderr.write(
    `Test environment: Postgres ${postgres}, NATS ${nats}, S3 ${await prepareS3()}${others}\n`,
  );
}
