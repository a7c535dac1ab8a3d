import type { DescFile, DescService, MessageInitShape } from '@bufbuild/protobuf';
import { toBinary } from '@parley/codec';
import { nestedTypes } from '@bufbuild/protobuf/reflect';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { Code, type ServiceImpl } from '@connectrpc/connect';
import type { ServerReflection } from '@parley/proto/grpc/reflection/v1/reflection_pb';
import {
  type ServerReflectionRequest,
  type ServerReflectionResponseSchema,
} from '@parley/proto/grpc/reflection/v1/reflection_pb';

type Answer = NonNullable<MessageInitShape<typeof ServerReflectionResponseSchema>['messageResponse']>;

export type Reflection = {
  readonly impl: ServiceImpl<typeof ServerReflection>;
  addService(service: DescService): void;
};

/**
 * The standard reflection service, based on the descriptors in generated code. These have no extensions, so queries for extensions find
 * nothing.
 */
export function createReflection(): Reflection {
  const services = new Set<string>();
  const filesByName = new Map<string, DescFile>();
  const filesBySymbol = new Map<string, DescFile>();

  function addFile(file: DescFile): void {
    const name = file.proto.name;
    if (filesByName.has(name)) return;
    filesByName.set(name, file);
    for (const symbol of symbolsOf(file)) filesBySymbol.set(symbol, file);
    file.dependencies.forEach(addFile);
  }

  function answer({ messageRequest: question }: ServerReflectionRequest): Answer {
    switch (question.case) {
      case 'listServices':
        return { case: 'listServicesResponse', value: { service: [...services].map((name) => ({ name })) } };
      case 'fileByFilename':
        return describe(filesByName.get(question.value), question.value);
      case 'fileContainingSymbol':
        return describe(filesBySymbol.get(question.value), question.value);
      default:
        return notFound('extension');
    }
  }

  return {
    impl: {
      async *serverReflectionInfo(requests) {
        for await (const request of requests) {
          yield { validHost: request.host, originalRequest: request, messageResponse: answer(request) };
        }
      },
    },
    addService(service) {
      services.add(service.typeName);
      addFile(service.file);
    },
  };
}

function describe(file: DescFile | undefined, wanted: string): Answer {
  if (!file) return notFound(wanted);
  const files = [...withImports(file, new Set())];
  const fileDescriptorProto = files.map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
  return { case: 'fileDescriptorResponse', value: { fileDescriptorProto } };
}

function notFound(wanted: string): Answer {
  return { case: 'errorResponse', value: { errorCode: Code.NotFound, errorMessage: `not found: ${wanted}` } };
}

function withImports(file: DescFile, found: Set<DescFile>): Set<DescFile> {
  if (!found.has(file)) {
    found.add(file);
    for (const dependency of file.dependencies) withImports(dependency, found);
  }
  return found;
}

function* symbolsOf(file: DescFile): Iterable<string> {
  for (const type of nestedTypes(file)) {
    yield type.typeName;
    if (type.kind === 'service') for (const method of type.methods) yield `${type.typeName}.${method.name}`;
  }
}
