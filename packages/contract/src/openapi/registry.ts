import type { Components } from './components.ts';

/** Parts that operations of a document share. Each stands once, among the components. */
export type Registry = {
  schemas: Components;
  parameters: Map<string, object>;
  headers: Map<string, object>;
  responses: Map<string, object>;
};

export function createRegistry(): Registry {
  return { schemas: new Map(), parameters: new Map(), headers: new Map(), responses: new Map() };
}

/** Adds a component and returns a reference to it. Two different components of one name are a mistake. Fails with an Error. */
export function shared(
  registry: Registry,
  kind: Exclude<keyof Registry, 'schemas'>,
  [name, value]: readonly [name: string, value: object],
): object {
  const known = registry[kind].get(name);
  if (known && JSON.stringify(known) !== JSON.stringify(value)) {
    throw new Error(`there are two ${kind} of the name ${name}`);
  }
  registry[kind].set(name, value);
  return { $ref: `#/components/${kind}/${name}` };
}

/** The components of the document, each kind sorted by name. */
export function componentsOf(registry: Registry): Record<string, object> {
  return Object.fromEntries(
    Object.entries(registry).map(([kind, components]) => [kind, Object.fromEntries([...components].sort())]),
  );
}
