import { readConfig, shareTestFolder } from '../config.ts';
import { processFolder } from './folder.ts';
import { prepareS3 } from './s3.ts';

/**
 * Jest's globalSetup: the servers that tests share belong to the whole run, not to one worker. They start when a test
 * first asks for one, and end with Jest's own process, however that ends.
 */
export default async function setUp(): Promise<void> {
  const { testPostgresUrl, testNatsUrl } = readConfig();
  shareTestFolder(processFolder);
  const chosen = (given: string | undefined) => (given ? 'the one of the environment' : 'embedded');
  process.stderr.write(
    `Test environment: Postgres ${chosen(testPostgresUrl)}, NATS ${chosen(testNatsUrl)}, S3 ${await prepareS3()}\n`,
  );
}
