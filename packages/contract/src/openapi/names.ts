import { EXAMPLE_BASE_URL } from '../schema/ids.ts';

/** Names of a deployment on the wire. */
export type WireNames = {
  /** Lower case, `svc` by default. */
  name: string;
  /** Version of the API, e.g. `3.0`. */
  version: string;
};

/**
 * The document of a deployment with another wire name: everything in it is written with the word `svc`, in URIs, media
 * types, header names and the Authorization scheme.
 */
export function withWireName<T>(document: T, { name }: WireNames): T {
  if (name === 'svc') return document;
  const capitalised = name.charAt(0).toUpperCase() + name.slice(1);
  const text = JSON.stringify(document)
    .replace(/\bsvc(?=:\/\/\/|-|[.+]|\+json)/g, name)
    .replace(/\bSvc(?=-| session-token)/g, capitalised);
  return JSON.parse(text) as T;
}

/** Examples name the addresses of the deployment, also that of its WebSocket. */
export function withBaseUrl(document: object, baseUrl: string): object {
  const quoted = JSON.stringify(baseUrl).slice(1, -1);
  const text = JSON.stringify(document)
    .replaceAll(EXAMPLE_BASE_URL, quoted)
    .replaceAll(EXAMPLE_BASE_URL.replace('http', 'ws'), quoted.replace('http', 'ws'));
  return JSON.parse(text) as object;
}
