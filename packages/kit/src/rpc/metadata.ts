import { Metadata } from '@grpc/grpc-js';

/** The argument of `new Headers`. */
export type HeadersInput = ConstructorParameters<typeof Headers>[0];

/** Binary entries become base64 text, as Connect has them. */
export function headersFrom(metadata: Metadata): Headers {
  const headers = new Headers();
  for (const key of Object.keys(metadata.getMap())) {
    for (const value of metadata.get(key)) {
      headers.append(key, typeof value === 'string' ? value : value.toString('base64'));
    }
  }
  return headers;
}

/** A header replaces entries of the same name. */
export function setHeaders(metadata: Metadata, headers: Headers): void {
  for (const [key, value] of headers) {
    metadata.set(key, key.endsWith('-bin') ? Buffer.from(value, 'base64') : value);
  }
}

export function metadataFrom(headers: Headers): Metadata {
  const metadata = new Metadata();
  setHeaders(metadata, headers);
  return metadata;
}

/** The first value of a text entry. */
export function textOf(metadata: Metadata, key: string): string | undefined {
  const value = metadata.get(key)[0];
  return typeof value === 'string' ? value : undefined;
}
