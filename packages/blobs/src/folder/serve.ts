import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveBlob } from '../serve-blob.ts';
import type { FolderStore } from './store.ts';

/**
 * Answers requests below the base of the store's addresses; `pathAndQuery` is what follows it. 403 for an address that is
 * forged or has expired, as object stores answer.
 */
export async function serveFolder(
  store: FolderStore,
  pathAndQuery: string,
  exchange: { req: IncomingMessage; res: ServerResponse; now: number },
): Promise<void> {
  const address = store.addresses.verify(pathAndQuery);
  if (!address || address.expiresAt <= exchange.now) return void exchange.res.writeHead(403).end();
  await serveBlob(store, address.key, address.contentType, exchange);
}
