import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import type { Sent } from './generated-client.ts';

type Operation = { method: string; path: string };
type Response = { $ref?: string; content?: Record<string, unknown> };
type Document = {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: { responses: Record<string, Response> };
};

/** What of an answer differs from its description. */
export type ResponseCheck = (operation: Operation, sent: Sent) => string[];

/** Validates JSON bodies of answers by the document that the gateway publishes; a key that it does not describe is refused. */
export function createResponseCheck(given: unknown): ResponseCheck {
  const document = given as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(closed(document) as object, 'openapi');
  return ({ method, path }, { status, body }) => {
    const described = document.paths[path]?.[method.toLowerCase()]?.responses[status];
    if (!described) return [`${status} is not described: ${JSON.stringify(body)}`];
    const name = described.$ref?.split('/').at(-1);
    const response = name === undefined ? described : (document.components.responses[name] ?? {});
    // A message that is not found is a 404 without a body.
    if (body === undefined || body === '')
      return response.content && status !== 404 ? ['there is no body'] : [];
    const at =
      name === undefined
        ? pointer('paths', path, method.toLowerCase(), 'responses', `${status}`)
        : pointer('components', 'responses', name);
    if (typeof body === 'string' && response.content?.['text/html']) return [];
    if (!response.content?.['application/json']) return ['the body is not described'];
    const isValid = ajv.validate(
      { $ref: `openapi#${at}${pointer('content', 'application/json', 'schema')}` },
      body,
    );
    return isValid ? [] : [`${ajv.errorsText()}: ${JSON.stringify(body)}`];
  };
}

function pointer(...keys: string[]): string {
  return keys
    .map((key) => `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');
}

/** The same with every object closed: clients ignore keys that they do not know, this check does not. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, closed(item)] as const);
  const schema = Object.fromEntries(entries);
  const isOpen = schema['type'] === 'object' && 'properties' in schema && !('additionalProperties' in schema);
  return isOpen ? { ...schema, additionalProperties: false } : schema;
}
