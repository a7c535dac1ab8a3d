export { indexedDbStorage } from './store/indexeddb.ts';
export { tabs, type TabsOptions } from './tabs/tabs.ts';
