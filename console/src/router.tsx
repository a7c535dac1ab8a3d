import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
} from '@tanstack/react-router';
import { Frame } from './frame/frame.tsx';
import { NotFound } from './frame/not-found.tsx';
import { PageFailure } from './frame/page-failure.tsx';
import { texts } from './frame/search-texts.ts';
import { AppFrame } from './frame/app-frame.tsx';

const ROOT = createRootRoute({ component: Frame, notFoundComponent: NotFound });

const OVERVIEW = createRoute({
  getParentRoute: () => ROOT,
  path: '/',
  validateSearch: texts('q', 'span', 'view'),
  component: lazyRouteComponent(() => import('./features/apps/overview.tsx'), 'OverviewPage'),
});
const SIGN_IN = createRoute({
  getParentRoute: () => ROOT,
  path: '/sign-in',
  // The frame shows the sign-in at any address; a person who is signed in goes on.
  component: () => <Navigate to="/" replace />,
});
const APPS = createRoute({
  getParentRoute: () => ROOT,
  path: '/apps',
  validateSearch: texts('q'),
  component: lazyRouteComponent(() => import('./features/apps/apps.tsx'), 'AppsPage'),
});
const AUDIT = createRoute({
  getParentRoute: () => ROOT,
  path: '/audit',
  validateSearch: texts('q'),
  component: lazyRouteComponent(() => import('./features/audit/audit.tsx'), 'AuditPage'),
});
const CELLS = createRoute({
  getParentRoute: () => ROOT,
  path: '/cells',
  component: lazyRouteComponent(() => import('./features/cells/cells.tsx'), 'CellsPage'),
});
const SESSIONS = createRoute({
  getParentRoute: () => ROOT,
  path: '/account',
  validateSearch: texts('q', 'people'),
  component: lazyRouteComponent(() => import('./features/account/sessions.tsx'), 'SessionsPage'),
});
const APP = createRoute({ getParentRoute: () => ROOT, path: '/apps/$app', component: AppFrame });

const APP_OVERVIEW = createRoute({
  getParentRoute: () => APP,
  path: '/',
  validateSearch: texts('span', 'view'),
  component: lazyRouteComponent(() => import('./features/apps/app-overview.tsx'), 'AppOverviewPage'),
});
const SETTINGS = createRoute({
  getParentRoute: () => APP,
  path: '/settings',
  component: lazyRouteComponent(() => import('./features/apps/settings.tsx'), 'SettingsPage'),
});
const KEYS = createRoute({
  getParentRoute: () => APP,
  path: '/keys',
  validateSearch: texts('q'),
  component: lazyRouteComponent(() => import('./features/access/keys.tsx'), 'KeysPage'),
});
const TOKENS = createRoute({
  getParentRoute: () => APP,
  path: '/tokens',
  validateSearch: texts('q'),
  component: lazyRouteComponent(() => import('./features/access/tokens.tsx'), 'TokensPage'),
});
const VALIDATOR = createRoute({
  getParentRoute: () => APP,
  path: '/validator',
  validateSearch: texts('q'),
  component: lazyRouteComponent(() => import('./features/access/validator.tsx'), 'ValidatorPage'),
});
const USERS = createRoute({
  getParentRoute: () => APP,
  path: '/users',
  validateSearch: texts('q'),
  component: lazyRouteComponent(() => import('./features/users/users.tsx'), 'UsersPage'),
});
const USER = createRoute({
  getParentRoute: () => APP,
  path: '/users/$user',
  validateSearch: texts('sessions', 'devices', 'pushes'),
  component: lazyRouteComponent(() => import('./features/users/user.tsx'), 'UserPage'),
});
const CONVERSATIONS = createRoute({
  getParentRoute: () => APP,
  path: '/conversations',
  validateSearch: texts('user'),
  component: lazyRouteComponent(
    () => import('./features/conversations/conversations.tsx'),
    'ConversationsPage',
  ),
});
const CONVERSATION = createRoute({
  getParentRoute: () => APP,
  path: '/conversations/$conversation',
  validateSearch: texts('scheduled', 'restricted'),
  component: lazyRouteComponent(
    () => import('./features/conversations/conversation.tsx'),
    'ConversationPage',
  ),
});
const TYPES = createRoute({
  getParentRoute: () => APP,
  path: '/types',
  validateSearch: texts('q'),
  component: lazyRouteComponent(() => import('./features/types/types.tsx'), 'TypesPage'),
});
const TYPE = createRoute({
  getParentRoute: () => APP,
  path: '/types/$type',
  component: lazyRouteComponent(() => import('./features/types/type.tsx'), 'TypePage'),
});
const WEBHOOKS = createRoute({
  getParentRoute: () => APP,
  path: '/webhooks',
  validateSearch: texts('q'),
  component: lazyRouteComponent(() => import('./features/webhooks/webhooks.tsx'), 'WebhooksPage'),
});
const WEBHOOK = createRoute({
  getParentRoute: () => APP,
  path: '/webhooks/$webhook',
  validateSearch: texts('status', 'q', 'who'),
  component: lazyRouteComponent(() => import('./features/webhooks/webhook.tsx'), 'WebhookPage'),
});
const DELIVERY = createRoute({
  getParentRoute: () => APP,
  path: '/webhooks/$webhook/deliveries/$delivery',
  component: lazyRouteComponent(() => import('./features/webhooks/delivery.tsx'), 'DeliveryPage'),
});
const ANNOUNCEMENTS = createRoute({
  getParentRoute: () => APP,
  path: '/announcements',
  component: lazyRouteComponent(
    () => import('./features/announcements/announcements.tsx'),
    'AnnouncementsPage',
  ),
});
const EXPORTS = createRoute({
  getParentRoute: () => APP,
  path: '/exports',
  validateSearch: texts('q'),
  component: lazyRouteComponent(() => import('./features/exports/exports.tsx'), 'ExportsPage'),
});
const PUSH = createRoute({
  getParentRoute: () => APP,
  path: '/push',
  component: lazyRouteComponent(() => import('./features/push/push.tsx'), 'PushPage'),
});
const APP_AUDIT = createRoute({
  getParentRoute: () => APP,
  path: '/audit',
  validateSearch: texts('q'),
  component: lazyRouteComponent(() => import('./features/audit/app-audit.tsx'), 'AppAuditPage'),
});
const PLAYGROUND = createRoute({
  getParentRoute: () => APP,
  path: '/playground',
  validateSearch: texts('as', 'method', 'path', 'packets'),
  component: lazyRouteComponent(() => import('./features/playground/playground.tsx'), 'PlaygroundPage'),
});

const OF_APP = APP.addChildren([
  APP_OVERVIEW,
  SETTINGS,
  KEYS,
  TOKENS,
  VALIDATOR,
  USERS,
  USER,
  CONVERSATIONS,
  CONVERSATION,
  TYPES,
  TYPE,
  WEBHOOKS,
  WEBHOOK,
  DELIVERY,
  ANNOUNCEMENTS,
  EXPORTS,
  PUSH,
  APP_AUDIT,
  PLAYGROUND,
]);

/** Every page with its address. Each page is loaded when it is first opened. */
export const ROUTER = createRouter({
  routeTree: ROOT.addChildren([OVERVIEW, SIGN_IN, APPS, AUDIT, CELLS, SESSIONS, OF_APP]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof ROUTER;
  }
}
