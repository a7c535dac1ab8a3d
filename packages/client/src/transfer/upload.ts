import type { Query } from '../query/query.ts';
import type { ParleyError } from '../errors.ts';

/**
 * `uploading`: bytes are sent. `waiting`: for the network, for `client.connect()`, or as long as the platform asked for. `paused`: by the application, or because
 * the file has to be given again. `done`: a part of a message may refer to it. `failed`: refused for good. `aborted`: by the application.
 */
export type UploadStatus = 'uploading' | 'waiting' | 'paused' | 'done' | 'failed' | 'aborted';

/** A state of an upload. */
export type UploadState = {
  readonly id: string;
  readonly status: UploadStatus;
  /** Name of the file, if it has one. */
  readonly name: string | undefined;
  /** Media type. */
  readonly type: string;
  /** Bytes of the file. */
  readonly size: number;
  /** Bytes that the platform has stored. */
  readonly sent: number;
  /** URI of the content; undefined until the platform has named it. */
  readonly contentId: string | undefined;
  /** Data of the application for its own use, such as the conversation that the file is for. */
  readonly data: unknown;
  /** Why it failed, or why it waits. */
  readonly error: ParleyError | undefined;
};

/** A part of a message that refers to an uploaded file. */
export type UploadedPart = {
  readonly mime_type: string;
  /** Name of the file, if it has one that a part may have. */
  readonly filename?: string;
  readonly content: { readonly id: string; readonly size: number };
};

/**
 * A file on its way to the platform. It goes on after failures of the network, and after a reload of the page if the store keeps
 * files.
 */
export type Upload = Query<UploadState> & {
  readonly id: string;
  /**
   * Stops sending, until `resume` or a reload. Does nothing unless it is under way.
   *
   * @example upload.pause();
   */
  pause(): void;
  /**
   * Goes on.
   *
   * @param file The same file again, after a reload where the store keeps none; a file of another size or type is refused.
   * @throws TypeError if the file is another one, or if it is needed and missing.
   * @example upload.resume();
   */
  resume(file?: Blob): void;
  /**
   * Ends it for good, and has the platform drop the bytes.
   *
   * @throws ParleyError `destroyed`. A platform that cannot be reached drops the bytes later by itself.
   * @example await upload.abort();
   */
  abort(): Promise<void>;
  /**
   * Resolves when all bytes have arrived.
   *
   * @returns The part of a message that shows the file.
   * @throws ParleyError if the upload is refused; `upload_aborted` if it was aborted.
   * @example
   * const part = await client.uploads.start(file).done();
   * conversation.send({ parts: [part] });
   */
  done(): Promise<UploadedPart>;
  /**
   * Forgets an upload that has ended, once the application has sent it.
   *
   * @throws ParleyError `destroyed`.
   * @example await upload.dismiss();
   */
  dismiss(): Promise<void>;
};

/** The file's name, as a part may have it. */
export function filenameOf({ name }: { readonly name: string | undefined }): string | undefined {
  return name?.replace(/[\p{Cc}\p{Cs}\p{Bidi_C}/\\]/gu, '_').match(/^.{1,255}/su)?.[0];
}
