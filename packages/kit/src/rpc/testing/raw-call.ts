import { once } from 'node:events';
import { connect, constants } from 'node:http2';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { SECRET } from './harness.ts';

/** An empty request to IssueNonce in a form that no well-behaved client sends. Returns the gRPC status. */
export async function rawCall(port: number, headers: Record<string, string>): Promise<string> {
  const session = connect(`http://127.0.0.1:${port}`);
  const stream = session.request({
    [constants.HTTP2_HEADER_METHOD]: 'POST',
    [constants.HTTP2_HEADER_PATH]: `/${IdentityService.typeName}/IssueNonce`,
    'content-type': 'application/grpc+proto',
    te: 'trailers',
    authorization: `Bearer ${SECRET}`,
    ...headers,
  });
  let status: unknown;
  for (const event of ['response', 'trailers'])
    stream.on(event, (head: Record<string, unknown>) => (status = head['grpc-status'] ?? status));
  stream.end(Buffer.alloc(5));
  stream.resume();
  await once(stream, 'close');
  session.close();
  return String(status);
}
