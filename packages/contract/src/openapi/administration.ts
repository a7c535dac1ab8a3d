import { EXAMPLE_BASE_URL } from '../schema/ids.ts';
import { shared, type Registry } from './registry.ts';
import { responseHeaders } from './response-headers.ts';
import { codeSamples } from './samples/code-samples.ts';

/** A method of the administration API, as the gateway takes it from the descriptors of the RPC protocol. */
export type DescribedMethod = {
  /** e.g. `/admin/rpc/parley.identity.v1.AdminService/CreateApp`. */
  path: string;
  /** e.g. `CreateApp`. */
  name: string;
  summary: string;
  /** The body of code samples, with variables as `{{NAME}}`. */
  sample: object;
  /** References to the messages, which stand in `messages`. */
  request: object;
  response: object;
};

export type Administration = {
  methods: readonly DescribedMethod[];
  /** JSON Schemas of messages by name. */
  messages: ReadonlyMap<string, object>;
};

const CODES: Readonly<Record<number, readonly string[]>> = {
  400: ['invalid_argument', 'failed_precondition', 'out_of_range'],
  401: ['unauthenticated'],
  403: ['permission_denied'],
  404: ['not_found'],
  408: ['canceled'],
  409: ['already_exists', 'aborted'],
  429: ['resource_exhausted'],
  500: ['internal', 'unknown', 'data_loss'],
  501: ['unimplemented'],
  503: ['unavailable'],
  504: ['deadline_exceeded'],
};

const CONNECT_ERROR = {
  type: 'object',
  description: 'Why a call of the administration API failed, in the Connect protocol.',
  required: ['code'],
  properties: {
    code: { type: 'string', description: 'What kind of failure it is.' },
    message: { type: 'string', description: 'For people; its wording may change.' },
    details: {
      type: 'array',
      description: 'Holds a `parley.problem.v1.Problem` for errors that the other operations may give too.',
      items: {
        type: 'object',
        required: ['type', 'value'],
        properties: {
          type: { type: 'string', description: 'Full name of the message.' },
          value: { type: 'string', description: 'The message, encoded, in base64 without padding.' },
          debug: { description: 'The message as JSON.' },
        },
      },
    },
  },
};

/** The administration API as paths of the document: each method is a POST with the request as JSON. */
export function administrationPaths(
  { methods, messages }: Administration,
  registry: Registry,
): Record<string, object> {
  for (const [name, schema] of messages) registry.schemas.set(name, schema);
  return Object.fromEntries(methods.map((method) => [method.path, { post: describe(method, registry) }]));
}

function describe(
  { path, name, summary, sample, request, response }: DescribedMethod,
  registry: Registry,
): object {
  return {
    operationId: `admin${name}`,
    tags: ['Administration'],
    summary,
    description:
      'In the Connect protocol. Ids are taken as URI or bare UUID; properties may be left out where they are empty.',
    security: [{ administration: [] }],
    requestBody: { required: true, content: { 'application/json': { schema: request } } },
    responses: {
      200: {
        description: 'Done.',
        headers: responseHeaders(200, registry),
        content: { 'application/json': { schema: response } },
      },
      ...failures(registry),
    },
    ...codeSamples({
      method: 'POST',
      url: `${EXAMPLE_BASE_URL}${path}`,
      headers: { Authorization: 'Bearer {{ADMIN_TOKEN}}', 'Content-Type': 'application/json' },
      body: { json: sample },
      answer: 'json',
    }),
  };
}

function failures(registry: Registry): Record<string, object> {
  registry.schemas.set('ConnectError', CONNECT_ERROR);
  return Object.fromEntries(
    Object.entries(CODES).map(([status, codes]) => {
      const response = {
        description: codes.map((code) => `\`${code}\``).join(', '),
        headers: { 'X-Request-Id': responseHeaders(500, registry)['X-Request-Id'] },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ConnectError' } } },
      };
      return [status, shared(registry, 'responses', [`Connect${status}`, response])] as const;
    }),
  );
}
