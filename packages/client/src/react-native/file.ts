/** Properties of a file that its URI does not say. */
export type FileOfUri = {
  /** By default the last part of the URI. */
  readonly name?: string;
  /** Media type; by default as the device says it. */
  readonly type?: string;
};

/**
 * A file of the device, as pickers and cameras name it. The storage of `sqliteStorage` keeps the URI instead of the bytes, so that an
 * upload goes on after the application was ended, if the file is there still.
 *
 * @param uri Such as `file:///…/photo.jpg`.
 * @param file Name and media type.
 * @returns The file, for `client.uploads.start` and for `files` of a message.
 * @throws TypeError if there is no such file.
 * @example await conversation.send({ files: [await fileFromUri(photo.uri, { type: 'image/jpeg' })] });
 */
export async function fileFromUri(uri: string, { name, type }: FileOfUri = {}): Promise<Blob> {
  const blob = await (await fetch(uri)).blob();
  return Object.defineProperties(blob, {
    uri: { value: uri },
    name: { value: name ?? lastPartOf(uri) },
    type: { value: type ?? blob.type },
  });
}

/** The URI that a file was made of, also one of the file system of Expo; undefined for other bytes. */
export function uriOf(file: Blob): string | undefined {
  const { uri } = file as { uri?: unknown };
  return typeof uri === 'string' ? uri : undefined;
}

function lastPartOf(uri: string): string {
  const [last = ''] = uri.slice(uri.lastIndexOf('/') + 1).split(/[?#]/);
  try {
    return decodeURIComponent(last);
  } catch {
    // A percent sign that stands for itself.
    return last;
  }
}
