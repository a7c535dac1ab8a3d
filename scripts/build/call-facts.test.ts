import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { withoutCallFacts } from './call-facts.ts';
import { REPOSITORY } from './paths.ts';

const file = path.join(REPOSITORY, 'proto/gen/parley/identity/v1/admin_service_pb.js');
const generated = readFileSync(file, 'utf8');

function descriptorOf(code: string) {
  const [, base64 = ''] = /fileDesc\("([^"]+)"/.exec(code) ?? [];
  return fromBinary(FileDescriptorProtoSchema, Buffer.from(base64, 'base64'));
}

test('pages get the methods without the facts of their calls', () => {
  const code = withoutCallFacts(generated);
  expect(generated).toContain('file_parley_rpc_v1_call');
  expect(code).not.toContain('file_parley_rpc_v1_call');
  expect(code.length).toBeLessThan(generated.length);
  const [before, after] = [generated, code].map(descriptorOf);
  const methodsOf = (one = before) => one!.service.flatMap(({ method }) => method);
  expect(methodsOf(before).some(({ options }) => options?.$unknown !== undefined)).toBe(true);
  expect(methodsOf(after).filter(({ options }) => options?.$unknown !== undefined)).toEqual([]);
  const plain = ({ name, inputType, outputType, options }: ReturnType<typeof methodsOf>[number]) => ({
    ...{ name, inputType, outputType, idempotency: options?.idempotencyLevel ?? 0 },
  });
  expect(methodsOf(after).map(plain)).toEqual(methodsOf(before).map(plain));
  expect(after!.messageType).toEqual(before!.messageType);
});
