import { parseIdentityRef, parseUri } from '../ids.ts';
import type { UriKind, Wire } from '../wire.ts';
import { failUnknownFromId } from '../problems.ts';
import { invalid } from './fields.ts';

export type Page = {
  pageSize: number;
  /** Bare uuid, or user id of identities, of the last item on the previous page; empty: the first page. */
  fromId: string;
};

export type PageOptions = {
  max: number;
  /** Default size, if it differs from the maximum. */
  default?: number;
  kind: UriKind;
};

/** `page_size`, capped at the maximum, and `from_id`. Fails with invalid_property. docs/protocol/requests.md#lists */
export function parsePage(wire: Wire, query: URLSearchParams, options: PageOptions): Page {
  return { pageSize: parsePageSize(query, options), fromId: parseFromId(wire, query, options.kind) };
}

/** `page_size` alone, for a list without further pages. */
export function parsePageSize(query: URLSearchParams, options: Omit<PageOptions, 'kind'>): number {
  const given = query.get('page_size');
  if (given === null) return options.default ?? options.max;
  const size = /^\d+$/.test(given) ? Number(given) : 0;
  return size >= 1
    ? Math.min(size, options.max)
    : invalid('page_size', 'must be a whole number of at least 1.');
}

function parseFromId(wire: Wire, query: URLSearchParams, kind: UriKind): string {
  const given = query.get('from_id');
  if (!given) return '';
  const id = kind === 'identities' ? parseIdentityRef(wire, given) : parseUri(wire, kind, given);
  return id ?? failUnknownFromId();
}
