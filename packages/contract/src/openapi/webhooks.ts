import type { Parameter } from '../api/operation.ts';
import { WEBHOOK_REQUESTS, type WebhookRequest } from '../webhook-events/index.ts';
import { toJsonSchema } from './components.ts';
import { shared, type Registry } from './registry.ts';
import { contentOf } from './responses.ts';

/** The requests that targets of webhooks get, as the `webhooks` of a document. */
export function webhooksOf(registry: Registry): Record<string, object> {
  return Object.fromEntries(
    Object.entries(WEBHOOK_REQUESTS).map(([name, request]) => [
      name,
      { [request.method.toLowerCase()]: describe(request, registry) },
    ]),
  );
}

function describe(request: WebhookRequest, registry: Registry): object {
  const { id, summary, description, parameters, body, answers } = request;
  return {
    operationId: id,
    tags: ['Webhooks'],
    summary,
    description,
    security: [],
    parameters: parameters.map((parameter) => describeParameter(parameter, registry)),
    ...(body && { requestBody: { required: true, content: describeBody(body, registry) } }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [
        status,
        {
          description: answer.description,
          ...(answer.body && { content: describeBody(answer.body, registry) }),
        },
      ]),
    ),
  };
}

function describeParameter(parameter: Parameter, registry: Registry): object {
  const { name, required = false, schema } = parameter;
  const { description, ...plain } = toJsonSchema(schema, registry.schemas) as { description?: string };
  const described = { name, in: parameter.in, required, description, schema: plain };
  return shared(registry, 'parameters', [name, described]);
}

function describeBody(
  { schema, example, mediaTypes = [] }: NonNullable<WebhookRequest['body']>,
  registry: Registry,
) {
  return contentOf(mediaTypes, { schema: toJsonSchema(schema, registry.schemas), example });
}
