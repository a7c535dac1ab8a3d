import { getOption, hasOption, type DescMethod } from '@bufbuild/protobuf';
import { call as CALL, type Call } from '@parley/proto/parley/rpc/v1/call_pb';

/** Options are decoded each time that they are read. */
const known = new WeakMap<DescMethod, Call>();

/** The facts that the .proto of a method states of every call. Fails with an Error for a method that says nothing. */
export function callFactsOf(method: DescMethod): Call {
  let facts = known.get(method);
  if (!facts) known.set(method, (facts = read(method)));
  return facts;
}

function read(method: DescMethod): Call {
  if (!hasOption(method, CALL))
    throw new Error(`${method.parent.typeName}.${method.name} has no option (parley.rpc.v1.call)`);
  return getOption(method, CALL);
}
