import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  links: { spanId: string; traceId: string }[];
  /** `code` 2: an error. */
  status: { code?: number };
  attributes: { key: string; value: Record<string, unknown> }[];
};
type Export = { resourceSpans: { resource: unknown; scopeSpans: { spans: Span[] }[] }[] };

/** An OTLP/HTTP collector. */
export async function startCollector() {
  const exports: Export[] = [];
  const server = createServer((req, res) => {
    void bodyOf(req).then((body) => {
      if (req.url === '/v1/traces') exports.push(JSON.parse(body) as Export);
      res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const spans = () =>
    exports.flatMap((e) => e.resourceSpans.flatMap((r) => r.scopeSpans.flatMap((s) => s.spans)));
  return { endpoint, exports, spans, stop: () => server.close() };
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** The value of an attribute; of an integer as text, as OTLP has it, made a number. */
export function attributeOf(span: Span | undefined, key: string): unknown {
  const value = span?.attributes.find((one) => one.key === key)?.value ?? {};
  return 'intValue' in value ? Number(value['intValue']) : Object.values(value)[0];
}

/** All attributes of a span. */
export function attributesOf(span: Span | undefined): Record<string, unknown> {
  return Object.fromEntries((span?.attributes ?? []).map(({ key }) => [key, attributeOf(span, key)]));
}
