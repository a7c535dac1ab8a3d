/** The part of an OpenAPI document from which the methods of the server client are made. */
type Schema = {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  items?: Schema;
  anyOf?: Schema[];
};
type Parameter = {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  example?: unknown;
  description?: string;
  schema: Schema;
};
type Response = { $ref?: string; description?: string; content?: Record<string, { schema: Schema }> };
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, Response>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter>; responses: Record<string, Response> };
};

const HEADING = `// The server client, made from the description of the REST API by
// \`UPDATE_DOCS=1 npm test -- scripts/contract\`.

`;

/** Errors that any operation may answer; the documentation of the client names them once. */
const COMMON_ERRORS = new Set([
  ...['authentication_required', 'access_denied', 'app_suspended', 'user_suspended', 'invalid_request'],
  ...['invalid_header', 'rate_limit_exceeded', 'request_timeout', 'request_entity_too_large'],
  ...['internal_server_error', 'service_unavailable', 'invalid_app_id'],
]);
const AS_USER = /AsUser$/;
const PARAMETER = /\{(\w+)\}/g;
/** Kinds of URIs by parameter of a path: the URIs that the client takes for it besides the bare id. */
const KINDS: Record<string, string> = {
  conversation_id: ':conversations',
  message_id: ':messages',
  part_id: ':parts',
  content_id: ':content',
  announcement_id: ':announcements',
  webhook_id: ':webhooks',
  delivery_id: ':deliveries',
  export_id: ':exports',
  key: '*',
  token: '*',
  type_name: '*',
  device_id: '*',
};
const OTHER_HEADERS = new Set(['Idempotency-Key', 'X-HTTP-Method-Override']);

/** The name of the method for an operation of servers. */
export function methodName(operationId: string): string {
  return operationId.replace(/As(Server|User)$/, '');
}

/** TypeScript with one documented, typed method for each operation of the server API. */
export function serverClient(document: object): string {
  const described = document as Document;
  const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security?.some((scheme) => 'bearer' in scheme))
      .map(([method, operation]) => methodOf(described, method, path, operation)),
  );
  const [forUsers, forServers] = [true, false].map((isForUser) =>
    operations.filter((one) => one.isForUser === isForUser).map(({ code }) => code),
  );
  const types = [...new Set(operations.flatMap((one) => one.types))].sort();
  return [
    HEADING,
    `import type {\n  ${types.join(',\n  ')},\n} from '@parley/contract/gen/records';\n`,
    `import { isFound, type RequestOptions, type Send } from '../src/server/send.ts';\n\n`,
    `/** The operations of servers. */\n`,
    `export function serverOperations(send: Send) {\n  return {\n${forServers?.join('\n')}  };\n}\n\n`,
    `/** The operations of the client API, in the name of a user. */\n`,
    `export function userOperations(send: Send, asUserId: string) {\n  return {\n${forUsers?.join('\n')}  };\n}\n`,
  ].join('');
}

/** TypeScript that exports the types of all records that the methods take or answer, and those of webhooks and archives. */
export function serverRecords(document: object): string {
  const { components } = document as { components: { schemas: Record<string, unknown> } };
  const names = Object.keys(components.schemas).filter((name) => !/^Admin|Error(WithNonce)?$/.test(name));
  return `${HEADING}export type {\n  ${names.sort().join(',\n  ')},\n} from '@parley/contract/gen/records';\n`;
}

type Method = { code: string; types: string[]; isForUser: boolean };

function methodOf(document: Document, method: string, path: string, operation: Operation): Method {
  const { operationId, requestBody } = operation;
  const parameters = (operation.parameters ?? []).map((one) => resolve(document.components.parameters, one));
  const places = parameters.filter(
    ({ in: place, name }) => place === 'path' && !/^(app_uuid|as_user_id)$/.test(name),
  );
  const query = parameters.filter((one) => one.in === 'query');
  const headers = parameters.filter((one) => one.in === 'header' && !OTHER_HEADERS.has(one.name));
  const [body] = Object.values(requestBody?.content ?? {});
  const answer = answerOf(document, operation);
  const isQuestion = operationId.startsWith('isFollowing');
  const needed = headers.filter(({ required }) => required);
  const optional = [...query, ...headers.filter(({ required }) => !required)];
  const signature = [
    ...places.map(({ name }) => `${camel(name)}: string`),
    ...(needed.length > 0 ? [`upload: { ${needed.map(fieldOf).join('; ')} }`] : []),
    ...(body ? [`body${requestBody?.required ? '' : '?'}: ${typeOf(body.schema)}`] : []),
    `options${optional.length > 0 ? `: { ${optional.map(fieldOf).join('; ')} } & RequestOptions` : ': RequestOptions'}${query.some(({ required }) => required) ? '' : ' = {}'}`,
  ];
  const sent = [
    `method: '${method.toUpperCase()}'`,
    `path: '${templateOf(path)}'`,
    ...namesOf(path),
    ...(query.length > 0
      ? [`query: { ${query.map((one) => `${one.name}: options.${camel(one.name)}`).join(', ')} }`]
      : []),
    ...(headers.length > 0 ? [`headers: { ${headers.map(headerOf).join(', ')} }`] : []),
    ...(body ? ['body'] : []),
    ...(path.includes('/webhooks') ? [`accept: 'webhooks'`] : []),
  ];
  const call = `send<${isQuestion ? 'void' : answer}>({ ${sent.join(', ')} }, options)`;
  const code = [
    documentationOf(document, operation, { places, optional, needed, isQuestion, answer }),
    `    ${methodName(operationId)}(${signature.join(', ')}): Promise<${isQuestion ? 'boolean' : answer}> {`,
    `      return ${isQuestion ? `isFound(${call})` : call};`,
    '    },\n',
  ].join('\n');
  const types = [answer, ...signature, body ? typeOf(body.schema) : ''].join(' ').match(/\b[A-Z]\w+/g) ?? [];
  return {
    code,
    types: types.filter((name) => !['Promise', 'RequestOptions'].includes(name)),
    isForUser: AS_USER.test(operationId),
  };
}

type Documented = {
  places: Parameter[];
  optional: Parameter[];
  needed: Parameter[];
  isQuestion: boolean;
  answer: string;
};

function documentationOf(
  document: Document,
  operation: Operation,
  { places, optional, needed, isQuestion, answer }: Documented,
): string {
  const { operationId, description, responses, requestBody } = operation;
  const [body] = Object.values(requestBody?.content ?? {});
  const errors = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, response]) => errorsOf(resolve(document.components.responses, response).description ?? ''))
    .filter((id) => !COMMON_ERRORS.has(id));
  const asked = optional
    .filter(({ required }) => required)
    .map(({ name, example }) => `${camel(name)}: ${JSON.stringify(example ?? 'ada')}`);
  const given = [
    ...places.map(({ schema: _, name }) => `'${exampleId(name)}'`),
    ...(needed.length > 0 ? [`{ uploadContentType: 'image/jpeg', uploadContentLength: 481516 }`] : []),
    ...(body?.example === undefined ? [] : [shortened(body.example)]),
    ...(asked.length > 0 ? [`{ ${asked.join(', ')} }`] : []),
  ];
  const receiver = AS_USER.test(operationId) ? `server.as('ada')` : 'server';
  const lines = [
    ...description.replace(/^As the user whom the path names\. /, '').split('\n'),
    '',
    ...places.map(({ name, description: text }) => `@param ${camel(name)} ${text}`),
    ...(needed.length > 0
      ? ['@param upload Media type and exact size of the bytes that will be uploaded.']
      : []),
    ...(body ? ['@param body The body of the request.'] : []),
    `@param options ${[...optional.map(optionText), 'See {@link RequestOptions}.'].join(' ')}`,
    ...(isQuestion
      ? ['@returns Whether it is so.']
      : answer === 'void'
        ? []
        : ['@returns ' + answerText(document, operation)]),
    `@throws ParleyError ${[...new Set(errors)].map((id) => `\`${id}\``).join(', ') || 'as any request; see `createServerClient`'}`,
    '@example',
    `await ${receiver}.${methodName(operationId)}(${given.join(', ')});`,
  ];
  return `    /**\n${lines.map((line) => `     * ${line}`.trimEnd()).join('\n')}\n     */`;
}

function optionText({ name, description }: Parameter): string {
  return `\`${camel(name)}\`: ${description ?? 'only those with it.'}`;
}

function answerText(document: Document, { responses }: Operation): string {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => resolve(document.components.responses, response).description ?? '')
    .join(' ');
}

function shortened(example: unknown): string {
  return JSON.stringify(example)
    .replace(/"([a-z_]+)":/g, '$1: ')
    .replaceAll('*/', '*\\/');
}

const EXAMPLES: Readonly<Record<string, string>> = {
  user_id: 'grace',
  owner_user_id: 'grace',
  type_name: 'support',
  key: '👍',
};

function exampleId(name: string): string {
  return EXAMPLES[name] ?? '01990000-0000-7000-8000-00000000000c';
}

/** The ids of errors with which the paragraphs of a description begin. */
function errorsOf(description: string): string[] {
  if (description.startsWith('There is no such')) return ['not_found'];
  return [...description.matchAll(/^`(\w+)`:/gm)].map(([, id]) => id ?? '');
}

function answerOf(document: Document, { responses }: Operation): string {
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => {
      const [content] = Object.values(resolve(document.components.responses, response).content ?? {});
      return content ? typeOf(content.schema) : 'void';
    });
  const distinct = [...new Set(answers)];
  return distinct.length > 1
    ? distinct.map((one) => (one === 'void' ? 'undefined' : one)).join(' | ')
    : (distinct[0] ?? 'void');
}

/** Below the address of the application; `//` is the address of the platform. */
function templateOf(path: string): string {
  if (path === '/') return '//';
  return path.replace('/apps/{app_uuid}', '').replace(PARAMETER, (_, name: string) => placeOf(name));
}

/** A parameter of a template: the kind of the objects that it names, or any text. */
function placeOf(name: string): string {
  const kind = name.endsWith('user_id') ? ':identities' : KINDS[name];
  if (kind === undefined) throw new Error(`the parameter ${name} has no kind`);
  return kind;
}

/** The names that the parameters of a template stand for, in order. */
function namesOf(path: string): string[] {
  const names = [...path.replace('/apps/{app_uuid}', '').matchAll(PARAMETER)];
  return names.length > 0 ? [`names: [${names.map(([, name = '']) => camel(name)).join(', ')}]`] : [];
}

function fieldOf({ name, required, schema }: Parameter): string {
  return `${camel(name)}${required ? '' : '?'}: ${typeOf(schema)}`;
}

function headerOf({ name, required }: Parameter): string {
  const value = `${required ? 'upload' : 'options'}.${camel(name)}`;
  return `'${name.toLowerCase()}': ${required ? `String(${value})` : value}`;
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.enum) return schema.enum.map((value) => `'${String(value)}'`).join(' | ');
  if (schema.type === 'array' && schema.items) {
    const item = typeOf(schema.items);
    return item.includes('|') ? `(${item})[]` : `${item}[]`;
  }
  return schema.type === 'integer' ? 'number' : (schema.type ?? 'unknown');
}

function camel(name: string): string {
  const [first = '', ...rest] = name.toLowerCase().split(/[_-]/);
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function resolve<T extends { $ref?: string }>(shared: Record<string, T>, one: T): T {
  return shared[one.$ref?.split('/').at(-1) ?? ''] ?? one;
}
