/** The addresses of the console's pages, by name. `$app`, `$conversation` … stand for ids. */
export const PAGES = {
  overview: '/',
  applications: '/apps',
  audit: '/audit',
  cells: '/cells',
  account: '/account',
  usage: '/apps/$app',
  users: '/apps/$app/users',
  user: '/apps/$app/users/ada',
  conversations: '/apps/$app/conversations?user=ada',
  conversation: '/apps/$app/conversations/$conversation',
  types: '/apps/$app/types',
  type: '/apps/$app/types/room',
  announcements: '/apps/$app/announcements',
  webhooks: '/apps/$app/webhooks',
  webhook: '/apps/$app/webhooks/$webhook',
  delivery: '/apps/$app/webhooks/$webhook/deliveries/$delivery',
  exports: '/apps/$app/exports',
  push: '/apps/$app/push',
  keys: '/apps/$app/keys',
  tokens: '/apps/$app/tokens',
  validator: '/apps/$app/validator',
  playground: '/apps/$app/playground',
  'audit-of-application': '/apps/$app/audit',
  settings: '/apps/$app/settings',
} as const;

/** The path below the platform's address; ids that are not given leave the page out. */
export function pathOf(page: string, ids: Readonly<Record<string, string>>): string | undefined {
  const path = page.replace(/\$(\w+)/g, (name, id: string) => ids[id] ?? name);
  return path.includes('$') ? undefined : `/console${path}`;
}
