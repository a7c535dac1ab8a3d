import { createS3Client } from '../s3/client.ts';
import type { BlobSettings } from '../settings.ts';

type Access = { endpoint: string; region: string; accessKey: string; secretKey: string };
type S3Settings = Extract<BlobSettings, { kind: 's3' }>;

/** The settings of a store in a bucket, which is created if it is missing. */
export async function openBucket(access: Access, bucket: string): Promise<S3Settings> {
  const settings: S3Settings = { kind: 's3', ...access, publicEndpoint: undefined, bucket };
  const client = createS3Client(settings);
  if (!(await client.bucketExists(bucket))) await client.makeBucket(bucket, access.region);
  return settings;
}
