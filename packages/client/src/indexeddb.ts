/**
 * For browsers: a storage that outlives the page, and one socket and one store for all tabs.
 *
 * @module @parley/client/indexeddb
 */

export { indexedDbStorage } from './store/indexeddb.ts';
export { tabs, type TabsOptions } from './tabs/tabs.ts';
