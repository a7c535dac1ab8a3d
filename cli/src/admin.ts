import { toJson, type DescMethod } from '@bufbuild/protobuf';
import { AdminService } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { PushAdminService } from '@parley/proto/parley/push/v1/push_admin_service_pb';
import { Argument, type Command } from 'commander';
import { createAdminTransport } from './connection.ts';
import { createOption, kebabCase } from './options.ts';
import { readRequest, type Options } from './request.ts';
import type { Environment } from './run.ts';

const TIMEOUT_MS = 30_000;

/** A command for each method of the administration API, with an option for each field of its request. */
export function addAdminCommands(parent: Command, environment: Environment): void {
  for (const method of [...AdminService.methods, ...PushAdminService.methods])
    addCommand(parent, method, environment);
}

function addCommand(parent: Command, method: DescMethod, environment: Environment): void {
  const command = parent
    .command(kebabCase(method.name))
    .description(`${method.name} of the administration API`)
    .addArgument(new Argument('[json]', 'the request as JSON; options win over it'))
    .copyInheritedSettings(parent);
  for (const field of method.input.fields) command.addOption(createOption(field));
  command.action((json: string | undefined, options: Options) =>
    call(method, { json, options }, environment),
  );
}

async function call(
  method: DescMethod,
  given: { json: string | undefined; options: Options },
  environment: Environment,
): Promise<void> {
  const request = readRequest(method.input, given);
  const transport = createAdminTransport(environment);
  const { stream, message } = await transport.unary(
    method as never,
    undefined,
    TIMEOUT_MS,
    undefined,
    request,
  );
  if (stream) throw new Error(`${method.name} answers with a stream`);
  const answer = toJson(method.output, message, { useProtoFieldName: true, alwaysEmitImplicit: true });
  environment.print(`${JSON.stringify(answer, null, 2)}\n`);
}
