// Part of generating code: no method is built without the facts of its calls. `node check-calls.mjs <folder of generated code>`
import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder] = process.argv.slice(2);
const files = globSync('parley/*/v1/*_pb.js', { cwd: folder });
const modules = await Promise.all(files.map((file) => import(pathToFileURL(path.join(folder, file)).href)));
const services = modules.flatMap((module) => Object.values(module)).filter(({ kind }) => kind === 'service');
const number = modules.map(({ call }) => call).find((call) => call?.kind === 'extension').number;
const silent = services.flatMap(({ typeName, methods }) =>
  methods
    .filter(({ proto }) => !proto.options?.$unknown?.some(({ no }) => no === number))
    .map(({ name }) => `${typeName}.${name}`),
);
if (silent.length > 0) {
  console.error(
    `without option (parley.rpc.v1.call), see proto/parley/rpc/v1/call.proto: ${silent.join(', ')}`,
  );
  process.exit(1);
}
