import {
  createContentAddresses,
  DOWNLOAD_PATH,
  type ContentRef,
  type DownloadAddress,
} from '@parley/domain/content-addresses';
import type { Clock } from '@parley/kit/runtime/clock';
import type { UpstreamConfig } from '../settings.ts';

export type Downloads = (content: ContentRef) => DownloadAddress;

/** Download addresses of the content service, signed here: rendering a message needs no call. */
export function createDownloads(
  { contentUrl, contentSecret }: Pick<UpstreamConfig, 'contentUrl' | 'contentSecret'>,
  clock: Clock,
): Downloads {
  const addresses = createContentAddresses({ base: contentUrl + DOWNLOAD_PATH, secret: contentSecret });
  return (content) => addresses.sign(content, clock.now());
}
