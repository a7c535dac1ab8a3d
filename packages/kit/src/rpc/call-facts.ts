import { getOption, hasOption, type DescMethod } from '@bufbuild/protobuf';
import { call as CALL, type Call } from '@parley/proto/parley/rpc/v1/call_pb';

/** Options are decoded at each access, so the results are cached. */
const known = new WeakMap<DescMethod, Call>();

/** The options that a method has in its .proto. Fails with an Error for a method without them. */
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
