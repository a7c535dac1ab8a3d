import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  links: { spanId: string }[];
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
