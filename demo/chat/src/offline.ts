import type { Client } from '@parley/client';

/** What the user does while offline is kept on the device; it is sent when the client is back. */
export function setOnline(client: Client, isOnline: boolean): void {
  if (isOnline) client.connect();
  else client.disconnect();
  for (const upload of client.uploads.getSnapshot().items) {
    upload.pause();
    if (isOnline && upload.getSnapshot().status === 'paused') upload.resume();
  }
}
