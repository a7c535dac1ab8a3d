import { openApiDocument } from '../openapi/document.ts';
import { reachableRoutes } from '../openapi/route.ts';
import { ROUTES } from './routes.ts';

type Described = {
  operationId: string;
  parameters: { $ref?: string }[];
  responses: Record<string, object>;
};
type Document = { paths: Record<string, Record<string, Described>> };

const REACHABLE = reachableRoutes(ROUTES);
const DOCUMENT = openApiDocument({
  name: 'svc',
  version: '3.0',
  baseUrl: 'https://chat.example.org',
  contentUrl: 'https://content.example.org',
}) as Document;
const DESCRIBED = Object.entries(DOCUMENT.paths)
  .filter(([path]) => REACHABLE.some((reachable) => reachable.path === path))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

test('every route is in the document', () => {
  const inDocument = DESCRIBED.map(({ path, method }) => `${method.toUpperCase()} ${path}`).sort();
  expect(inDocument).toEqual(REACHABLE.map(({ route, path }) => `${route.method} ${path}`).sort());
});

test('examples name the addresses of the deployment', () => {
  const text = JSON.stringify(DOCUMENT);
  expect(text).toContain('<wss://chat.example.org/websocket>');
  expect(text).not.toContain('chat.example.com');
});

test('the id of an operation is its own', () => {
  const ids = DESCRIBED.map(({ operation }) => operation.operationId);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('no two paths have the same shape', () => {
  const shapes = Object.keys(DOCUMENT.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
  expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([]);
});

test('of two routes with the same shape of path the first is described, as it serves all requests', () => {
  const operation = DOCUMENT.paths['/apps/{app_uuid}/users/{user_id}/blocks']?.['get'];
  if (operation) expect(operation.operationId).not.toMatch(/AsUser$/);
  const [first, ...others] = REACHABLE.filter(
    ({ route, path }) => route.method === 'GET' && /^\/apps\/\{\w+\}\/users\/\{\w+\}\/blocks$/.test(path),
  );
  expect(first?.route.path).toBe('/apps/:app_uuid/users/:user_id/blocks');
  expect(others).toEqual([]);
});
