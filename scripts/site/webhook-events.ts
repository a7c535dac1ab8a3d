import { NOTICE_HEADERS } from '../../packages/contract/src/webhook-events/headers.ts';
import { WEBHOOK_REQUESTS, type WebhookRequest } from '../../packages/contract/src/webhook-events/index.ts';

const INTRODUCTION = `# Webhook events

What the platform sends to the target of a webhook: a POST for each event, and a GET that verifies the target. How to register a
webhook, check signatures and answer is in [the guide](/guides/webhooks/); the schemas of the bodies are in
<a href="/asyncapi.json" target="_blank">asyncapi.json</a>.

## Headers of a delivery

`;

/** A page with every request that the target of a webhook gets, with an example. */
export function webhookEvents(): string {
  const requests = Object.entries(WEBHOOK_REQUESTS).map(([name, request]) => section(name, request));
  return `${INTRODUCTION}${headers()}\n\n${requests.join('\n\n')}\n`;
}

function headers(): string {
  const rows = NOTICE_HEADERS.map(({ name, schema }) => {
    const { description = '' } = schema as { description?: string };
    return `| \`${name}\` | ${description.replaceAll('|', '\\|')} |`;
  });
  return ['| header | meaning |', '| --- | --- |', ...rows].join('\n');
}

function section(
  name: string,
  { method, summary, description, parameters, body, answers }: WebhookRequest,
): string {
  const query = parameters.filter((one) => one.in === 'query').map((one) => `\`${one.name}\``);
  const outcomes = Object.entries(answers).map(([status, answer]) => `| ${status} | ${answer.description} |`);
  return [
    `## ${name}`,
    `${summary}. ${description}`,
    ...(query.length > 0 ? [`A ${method} with ${query.join(', ')} in its query.`] : []),
    ...(body ? [`\`\`\`json\n${JSON.stringify(body.example, null, 2)}\n\`\`\``] : []),
    // All deliveries are answered alike.
    ...(name === FIRST || method === 'GET'
      ? [['| answer | what it means |', '| --- | --- |', ...outcomes].join('\n')]
      : []),
  ].join('\n\n');
}

const FIRST = Object.keys(WEBHOOK_REQUESTS)[0];
