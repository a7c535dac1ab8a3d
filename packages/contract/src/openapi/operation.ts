import type { Parameter } from '../api/operation.ts';
import type { ApiRoute } from '../api/routes.ts';
import { toJsonSchema, type Components } from './components.ts';
import { bodyMediaTypesOf } from './media-types.ts';
import { PATH_PARAMETERS } from './path-parameters.ts';
import { shared, type Registry } from './registry.ts';
import { requestHeaders } from './request-headers.ts';
import { contentOf, responsesOf } from './responses.ts';
import type { ReachableRoute } from './route.ts';
import { codeSamples } from './samples/code-samples.ts';
import { sampleOf } from './samples/sample-of-route.ts';

/** The Operation Object of a route. */
export function describeOperation({ route, path }: ReachableRoute, registry: Registry): object {
  const { id, tag, description, parameters = [], body, summary, asUser } = route;
  return {
    operationId: asUser ? `${id}AsUser` : id,
    tags: [tag],
    summary: asUser ? `${summary}, as a user` : summary,
    description: asUser ? `As the user whom the path names. ${description}` : description,
    security: securityOf(route),
    parameters: [
      ...pathParameters(path, registry),
      ...describeParameters(parameters, registry.schemas),
      ...requestHeaders(route, new Set(parameters.map(({ name }) => name)), registry),
    ],
    ...(body && {
      requestBody: {
        required: body.required,
        content: contentOf(body.mediaTypes ?? bodyMediaTypesOf(route, Array.isArray(body.example)), {
          schema: toJsonSchema(body.schema, registry.schemas),
          example: body.example,
        }),
      },
    }),
    responses: responsesOf(route, registry),
    ...codeSamples(sampleOf({ route, path })),
  };
}

function securityOf({ auth }: ApiRoute): object[] {
  if (auth === 'none') return [];
  if (auth === 'checked') return [{}, { session: [] }, { bearer: [] }];
  return [{ [auth]: [] }];
}

function pathParameters(path: string, registry: Registry): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const schema = PATH_PARAMETERS[name];
    if (!schema) throw new Error(`the parameter ${name} of ${path} is not described`);
    const { description, ...plain } = toJsonSchema(schema, registry.schemas) as { description?: string };
    const parameter = { name, in: 'path', required: true, description, schema: plain };
    return shared(registry, 'parameters', [name, parameter]);
  });
}

function describeParameters(parameters: readonly Parameter[], components: Components): object[] {
  return parameters.map(({ schema, required = false, ...rest }) => {
    const { description, ...plain } = toJsonSchema(schema, components) as { description?: string };
    return { ...rest, required, description, schema: plain };
  });
}
