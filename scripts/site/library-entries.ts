/** The entries of the client library, each with a page of the reference. `name` is what applications import, and the entry's `@module`. */
export const LIBRARY_ENTRIES: readonly { readonly name: string; readonly source: string }[] = [
  { name: '@parley/client', source: 'packages/client/src/index.ts' },
  { name: '@parley/client/indexeddb', source: 'packages/client/src/indexeddb.ts' },
  { name: '@parley/client/lean', source: 'packages/client/src/lean.ts' },
  { name: '@parley/client/react-native', source: 'packages/client/src/react-native.ts' },
  { name: '@parley/client/web-push', source: 'packages/client/src/web-push.ts' },
  { name: '@parley/react', source: 'packages/react/src/index.ts' },
  { name: '@parley/client/server', source: 'packages/client/src/server/index.ts' },
  { name: '@parley/client/store/conformance', source: 'packages/client/src/store/conformance.ts' },
];

/** The page of an entry: `@parley/client/server` is at `reference/client-server`. */
export function referenceRoute(name: string): string {
  return `reference/${name.replace('@parley/', '').replaceAll('/', '-')}`;
}
