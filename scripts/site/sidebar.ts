import { LIBRARY_ENTRIES, referenceRoute } from './library-entries.ts';

/** An entry of the site's navigation, as VitePress takes it. */
export type Entry = { text: string; link?: string; items?: Entry[]; target?: string };

/** Navigations by the path below which they are shown. */
export type Sidebar = Record<string, Entry[]>;

/** Groups of the navigation with their pages in order; `folder/*` stands for the other pages of a folder. */
const GROUPS: readonly [title: string, routes: readonly string[]][] = [
  [
    'Begin',
    [
      'guides/quick-start',
      'guides/client-library',
      'guides/react',
      'guides/components',
      'guides/backend-library',
      'guides/identity-tokens',
      'guides/tenants',
      'chat',
      'glossary',
    ],
  ],
  [
    'Guides',
    [
      'guides/conversations-and-messages',
      'guides/live-changes',
      'guides/reactions',
      'guides/receipts-and-unread',
      'guides/types-and-roles',
      'guides/rich-content',
      'guides/identities-and-following',
      'guides/announcements',
      'guides/scheduled-messages',
      'guides/notifications',
      'guides/webhooks',
      'guides/exports',
      'guides/idempotency-and-retries',
      'guides/limits',
      'guides/*',
    ],
  ],
  [
    'Reference',
    ['rest', 'webhook-events', 'errors', 'limits', 'configuration', 'consistency', 'api-description'],
  ],
  ['Client library', LIBRARY_ENTRIES.map(({ name }) => referenceRoute(name))],
  [
    'Protocol',
    [
      'protocol',
      'protocol/requests',
      'protocol/endpoints',
      'protocol/authentication',
      'protocol/records',
      'protocol/conversations',
      'protocol/messages',
      'protocol/receipts',
      'protocol/users',
      'protocol/announcements',
      'protocol/uploads',
      'protocol/websocket',
      'protocol/webhooks',
      'protocol/exports',
      'protocol/errors',
      'protocol/administration',
      'protocol/*',
    ],
  ],
  [
    'Operations',
    ['deploying', 'console', 'operations', 'reliability', 'scaling', 'performance', 'deleted-applications'],
  ],
  [
    'Inside Parley',
    [
      'architecture',
      'architecture/overview',
      'architecture/send',
      'architecture/data',
      'architecture/live',
      'architecture/kit',
      'architecture/security',
      'architecture/changing',
      'data-model',
      'events',
      'decisions',
      'contributing',
      '*',
    ],
  ],
];

/** Their pages have a navigation of their own. */
const DECISIONS = 'decisions/';

/** Not made by VitePress: the browser has to load it. */
const REST: Entry = { text: 'REST', link: '/rest/', target: '_self' };

/** The navigation. `titles`: the title of each page by its route. Every page but the front page is in it. */
export function sidebarOf(titles: ReadonlyMap<string, string>): Sidebar {
  const rest = new Set([...titles.keys()].filter((route) => route !== '' && !route.startsWith(DECISIONS)));
  const named = new Set(GROUPS.flatMap(([, routes]) => routes));
  const entryOf = (route: string) =>
    route === 'rest' ? REST : { text: titles.get(route) ?? route, link: `/${route}/` };
  rest.add('rest');
  const groups = GROUPS.map(([text, routes]) => {
    const found = routes
      .flatMap((route) => take(route, { rest, named }))
      .filter((route) => rest.delete(route));
    return { text, items: found.map(entryOf) };
  });
  const decisions = [...titles.keys()].filter((route) => route.startsWith(DECISIONS)).sort();
  return {
    [`/${DECISIONS}`]: [
      { text: 'Parley', items: [{ text: 'Front page', link: '/' }, entryOf('architecture')] },
      { text: 'Decisions', items: ['decisions', ...decisions].map(entryOf) },
    ],
    '/': groups.filter(({ items }) => items.length > 0),
  };
}

type Choice = { rest: ReadonlySet<string>; named: ReadonlySet<string> };

function take(route: string, { rest, named }: Choice): string[] {
  if (!route.endsWith('*')) return rest.has(route) ? [route] : [];
  const folder = route.slice(0, -1);
  const others = [...rest].filter((one) => !named.has(one) && one.startsWith(folder));
  return others.filter((one) => folder !== '' || !one.includes('/')).sort();
}
