import type { Client, Conversation, PartInput, Upload } from '@parley/client';
import { unstageFiles } from './staged-files.tsx';

/** Bytes of the longest text that every application takes in a part. */
export const INLINE_BYTES = 2048;
const NOTIFICATION_LENGTH = 200;

/** Bytes of a text as it is sent. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/**
 * Sends a text and files as one message when all files have arrived. A text that is too long for a part is uploaded as well.
 *
 * @throws ParleyError if an upload or the message is refused.
 */
export async function sendComposed(
  client: Client,
  conversation: Conversation,
  { text, files }: { text: string; files: readonly Upload[] },
): Promise<void> {
  const parts: PartInput[] = await Promise.all(files.map((upload) => upload.done()));
  if (text !== '') parts.push(await textPart(client, text));
  const name = client.user?.display_name ?? client.user?.user_id ?? '';
  const shown = text || (files[0]?.getSnapshot().name ?? '');
  const notification = { title: name, text: shown.slice(0, NOTIFICATION_LENGTH) };
  await conversation.send({ parts, notification });
  await unstageFiles(files);
}

async function textPart(client: Client, text: string): Promise<PartInput> {
  if (bytesOf(text) <= INLINE_BYTES) return { mime_type: 'text/plain', body: text };
  const upload = client.uploads.start(new Blob([text], { type: 'text/plain' }));
  try {
    return await upload.done();
  } finally {
    // No composer lists it, so that nobody could remove one that failed.
    await upload.dismiss();
  }
}
