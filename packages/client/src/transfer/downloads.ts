import type { Content } from '@parley/contract/gen/records';
import { answeredWith, ParleyError, unanswered } from '../errors.ts';
import type { SendRequest } from './request.ts';

/** The content of a part, as a message has it. */
export type PartContent = Pick<Content, 'id' | 'download_url' | 'expiration' | 'refresh_url'>;

/** Downloads of rich content, whose addresses are renewed when they have expired. */
export type Downloads = {
  /**
   * An address for an image, a video or a link.
   *
   * @param content The content of a message's part.
   * @returns An address that works for a minute at least; of a file that this page sends, an object URL, which works until the
   *   client ends.
   * @throws ParleyError `not_found` if the content is gone; `network_error` if the address has expired and there is no network.
   * @example
   * image.src = await client.downloads.url(part.content);
   */
  url(content: PartContent): Promise<string>;
  /**
   * The bytes.
   *
   * @param content The content of a message's part.
   * @param options `signal` ends the download.
   * @returns The file, with its media type.
   * @throws ParleyError `not_found` if the content is gone; `network_error` if it cannot be reached.
   * @example
   * const file = await client.downloads.blob(part.content);
   */
  blob(content: PartContent, options?: { signal?: AbortSignal }): Promise<Blob>;
};

/** `expiresAt`: NaN, which is before and after no time, where the platform did not say. */
type Address = { readonly url: string; readonly expiresAt: number };

const SPARE_MS = 60_000;
/** Statuses of an address that has expired, or that is not signed as it should be. */
const EXPIRED = [401, 403, 410];

type DownloadsOptions = {
  readonly send: SendRequest;
  readonly fetch: typeof globalThis.fetch;
  /** The file of a content that this device has sent, also before it has arrived. */
  readonly fileOf?: (content: string) => Promise<Blob | undefined>;
};

/** `stop` takes back the object URLs, whose files the page would keep as long as it is open. */
export function createDownloads({
  send,
  fetch,
  fileOf = async () => undefined,
}: DownloadsOptions): Downloads & { stop(): void } {
  /** Object URLs of files of this device, by the file and by the content, since a store gives another file each time. */
  const local = new Map<Blob | string, string>();
  const renewed = new Map<string, Address>();
  const renewing = new Map<string, Promise<Address>>();

  // By the address that renews it: parts may give one content several names.
  function renew({ refresh_url: at }: PartContent): Promise<Address> {
    const asked =
      renewing.get(at) ??
      ask(send, at)
        .then((address) => {
          renewed.set(at, address);
          return address;
        })
        .finally(() => renewing.delete(at));
    renewing.set(at, asked);
    return asked;
  }

  async function url(content: PartContent): Promise<string> {
    const known = local.get(content.id);
    if (known !== undefined) return known;
    const file = await fileOf(content.id);
    if (file) {
      const address = local.get(file) ?? URL.createObjectURL(file);
      local.set(file, address).set(content.id, address);
      return address;
    }
    const address = renewed.get(content.refresh_url) ?? addressOf(content);
    if (address && address.expiresAt - SPARE_MS > Date.now()) return address.url;
    return (await renew(content)).url;
  }

  const get = (address: string, signal: AbortSignal | undefined): Promise<Response> =>
    fetch(address, signal ? { signal } : {}).catch(unanswered);

  return {
    url,
    async blob(content, { signal } = {}) {
      const file = await fileOf(content.id);
      if (file) return file;
      let response = await get(await url(content), signal);
      // The device's clock may be late.
      if (EXPIRED.includes(response.status)) response = await get((await renew(content)).url, signal);
      const { status } = response;
      if (response.ok) return response.blob();
      const id = status === 404 ? 'not_found' : 'invalid_answer';
      throw answeredWith(id, { status });
    },
    stop() {
      for (const address of local.values()) URL.revokeObjectURL(address);
      local.clear();
    },
  };
}

function addressOf({
  download_url,
  expiration,
}: Pick<Content, 'download_url' | 'expiration'>): Address | undefined {
  if (download_url === null) return undefined;
  return { url: download_url, expiresAt: Date.parse(expiration ?? '') };
}

async function ask(send: SendRequest, path: string): Promise<Address> {
  const { body } = await send<Content>({ method: 'GET', path });
  const address = addressOf(body);
  if (!address) throw new ParleyError({ id: 'not_found' });
  return address;
}
