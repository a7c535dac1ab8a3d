import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveBlob } from '../serve-blob.ts';
import type { FolderStore } from './store.ts';

/**
 * Answers requests to the store's addresses; `pathAndQuery` is what follows their base. Answers 403 for a forged or expired
 * address, like object stores.
 */
export async function serveFolder(
  store: FolderStore,
  pathAndQuery: string,
  exchange: { req: IncomingMessage; res: ServerResponse; now: number },
): Promise<void> {
  const address = store.addresses.verify(pathAndQuery);
  if (!address || address.expiresAt <= exchange.now) return void exchange.res.writeHead(403).end();
  await serveBlob(store, address, exchange);
}
