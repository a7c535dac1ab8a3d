import type { Body, Parameter } from '../../api/operation.ts';
import type { ApiRoute } from '../../api/routes.ts';
import { EXAMPLE_BASE_URL } from '../../schema/ids.ts';
import { bodyMediaTypesOf, mediaTypesOf } from '../media-types.ts';
import type { ReachableRoute } from '../route.ts';
import type { SampleRequest } from './sample-request.ts';

/** Variables that are named otherwise than the parameter of the path. */
const VARIABLES: Readonly<Record<string, string>> = { token: 'SESSION_TOKEN' };

const AUTHORIZATION: Readonly<Record<ApiRoute['auth'], string | undefined>> = {
  session: 'Svc session-token="{{SESSION_TOKEN}}"',
  checked: 'Svc session-token="{{SESSION_TOKEN}}"',
  bearer: 'Bearer {{ACCESS_TOKEN}}',
  none: undefined,
};

/** The request of a route's samples: its example, with the ids and tokens of the reader. */
export function sampleOf({ route, path }: ReachableRoute): SampleRequest {
  return {
    method: route.method,
    url: `${EXAMPLE_BASE_URL}${path.replace(/\{(\w+)\}/g, (_, name: string) => variable(name))}${queryOf(route)}`,
    headers: headersOf(route),
    ...(route.body && { body: { json: bodyOf(route.body) } }),
    answer: answerOf(route),
  };
}

function queryOf({ parameters = [] }: ApiRoute): string {
  const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  if (needed.length === 0) return '';
  return `?${new URLSearchParams(needed.map((parameter): [string, string] => [parameter.name, exampleOf(parameter)])).toString()}`;
}

function exampleOf({ schema }: Parameter): string {
  return String((schema as { examples?: unknown[] }).examples?.[0]);
}

function variable(parameter: string): string {
  return `{{${VARIABLES[parameter] ?? parameter.toUpperCase()}}}`;
}

function headersOf(route: ApiRoute): Record<string, string> {
  const { accept, auth, body, parameters = [] } = route;
  const [mediaType = ''] = mediaTypesOf(route);
  const [contentType = ''] = body ? bodyMediaTypesOf(route, Array.isArray(body.example)) : [];
  const authorization = AUTHORIZATION[auth];
  const needed = parameters.filter((parameter) => parameter.in === 'header' && parameter.required);
  return Object.fromEntries([
    ...(accept === 'any' ? [] : [['Accept', mediaType]]),
    ...(authorization === undefined ? [] : [['Authorization', authorization]]),
    ...(body ? [['Content-Type', contentType]] : []),
    ...needed.map((parameter) => [parameter.name, exampleOf(parameter)]),
  ]) as Record<string, string>;
}

/** Without the id that a client may give to what it creates, so that a sample may be sent twice. */
function bodyOf({ sample, example }: Body): unknown {
  const body = sample ?? example;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { id: _, ...rest } = body as Record<string, unknown>;
  return rest;
}

function answerOf({ success }: ApiRoute): SampleRequest['answer'] {
  const [first] = Object.values(success);
  if (!first?.body) return 'nothing';
  return first.body.mediaTypes?.some((type) => type.startsWith('text/')) ? 'text' : 'json';
}
