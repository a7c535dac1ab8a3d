import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';

type Plugin = {
  name: string;
  enforce: 'pre';
  transform(code: string, file: string): { code: string; map: null } | undefined;
};

/** The import of the option by which a method says the facts of its calls. */
const OPTION = 'file_parley_rpc_v1_call';
const GENERATED = /\/proto\/gen\/.*_pb\.js$/;
/** A file descriptor as `fileDesc` takes it: in base64, with the files that it imports. */
const DESCRIPTOR = /fileDesc\("([^"]+)"(?:, \[([\w, ]*)\])?\)/;

/**
 * Takes the facts of calls out of generated code for pages, which call methods, but neither serve nor forward them. Fails with an Error for code
 * of another form.
 */
export function withoutCallFacts(code: string): string {
  const plain = code
    .replace(new RegExp(`^import \\{ ${OPTION} \\} from .*\n`, 'm'), '')
    .replace(DESCRIPTOR, (_match, bytes: string, imports = '') => {
      const kept = String(imports).split(', ').filter((name) => name !== '' && name !== OPTION); // prettier-ignore
      return `fileDesc("${withoutOptions(bytes)}", [${kept.join(', ')}])`;
    });
  if (plain.includes(OPTION)) throw new Error('the generated code has another form than is expected here');
  return plain;
}

/** Drops the options that Parley defines itself: the schema of descriptors does not know them. */
function withoutOptions(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  const file = fromBinary(FileDescriptorProtoSchema, bytes, { readUnknownFields: false });
  return Buffer.from(toBinary(FileDescriptorProtoSchema, file)).toString('base64');
}

/** A plugin of Vite that takes them out of a build. */
export function callFactsPlugin(): Plugin {
  return {
    name: 'parley-call-facts',
    // As it was generated.
    enforce: 'pre',
    transform: (code, file) =>
      GENERATED.test(file) && code.includes(OPTION) ? { code: withoutCallFacts(code), map: null } : undefined,
  };
}
