import type { Client, PartInput, Upload } from '@parley/client';

/** What is remembered of an upload over a reload: where the file goes. */
export type UploadData = { readonly conversation: string };

/** Sends each file when it has arrived, also one whose upload was begun before a reload. */
export function sendUploads(client: Client): void {
  const known = new Set<string>();
  function look(): void {
    for (const upload of client.uploads.getSnapshot().items) {
      if (known.has(upload.id)) continue;
      known.add(upload.id);
      // A failed upload shows its error, with what can be done about it.
      sendWhenDone(client, upload).catch(() => undefined);
    }
  }
  client.uploads.subscribe(look);
  look();
}

/** Each window of the user that was open, or was opened, meanwhile has the upload: the first one sends it. */
async function sendWhenDone(client: Client, upload: Upload): Promise<void> {
  const part = await upload.done();
  const key = `parley-demo/sent/${upload.id}`;
  await navigator.locks.request(key, async () => {
    if (localStorage.getItem(key) !== null) return;
    await send(client, upload, part);
    localStorage.setItem(key, '');
  });
  await upload.dismiss();
}

async function send(client: Client, upload: Upload, part: PartInput): Promise<void> {
  const { name, data } = upload.getSnapshot();
  const conversation = client.conversation((data as UploadData).conversation).getSnapshot();
  const caption: PartInput[] = name ? [{ mime_type: 'text/plain', body: name }] : [];
  const notification = { title: client.user?.display_name ?? '', text: name ?? 'A file' };
  await conversation?.send({ parts: [part, ...caption], notification });
}
