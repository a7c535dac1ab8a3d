import { ROUTES } from '../api/routes.ts';
import { administrationPaths, type Administration } from './administration.ts';
import { contentPaths } from './content/paths.ts';
import { INFO_DESCRIPTION } from './info.ts';
import { withBaseUrl, withWireName, type WireNames } from './names.ts';
import { describeOperation } from './operation.ts';
import { componentsOf, createRegistry, type Registry } from './registry.ts';
import { reachableRoutes } from './route.ts';
import { SECURITY_SCHEMES } from './security.ts';
import { TAGS } from './tags.ts';
import { webhooksOf } from './webhooks.ts';

export type DocumentSettings = WireNames & {
  /** The gateway's public address without a slash at its end. */
  baseUrl: string;
  /** The content service's public address without a slash at its end. */
  contentUrl: string;
  administration?: Administration;
};

type Paths = Record<string, Record<string, object>>;

/** The public API as an OpenAPI 3.1 document. */
export function openApiDocument(settings: DocumentSettings): object {
  const registry = createRegistry();
  const { contentUrl, administration } = settings;
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: settings.version,
      description: INFO_DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: settings.baseUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: {
      ...pathsOf(registry),
      ...contentPaths(contentUrl, registry),
      ...(administration && administrationPaths(administration, registry)),
    },
    webhooks: webhooksOf(registry),
    components: { securitySchemes: SECURITY_SCHEMES, ...componentsOf(registry) },
  };
  return withBaseUrl(withWireName(document, settings), settings.baseUrl);
}

function pathsOf(registry: Registry): Paths {
  const paths: Paths = {};
  for (const { route, path } of reachableRoutes(ROUTES)) {
    const methods = (paths[path] ??= {});
    methods[route.method.toLowerCase()] = describeOperation({ route, path }, registry);
  }
  return paths;
}
