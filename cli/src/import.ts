import { createReadStream } from 'node:fs';
import { pipeline, Transform } from 'node:stream';
import type { JsonObject } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import { ImportService } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import type { Command } from 'commander';
import { pick } from 'stream-json/filters/pick.js';
import { streamArray } from 'stream-json/streamers/stream-array.js';
import { createAdminTransport } from './connection.ts';
import type { Environment } from './run.ts';

/** Limits of one request. */
const BATCH_BYTES = 256 * 1024;
const BATCH_ITEMS = 200;
/** Levels of nesting that the API accepts; values within them may be processed by recursion. */
const MAX_DEPTH = 64;

/** `parley import export.json --app <uuid>` */
export function addImportCommand(program: Command, environment: Environment): void {
  program
    .command('import')
    .description(
      'Restores the export.json of a historical export into an app that has nothing of it yet: the same ids, the same ' +
        'times. May be repeated when it was interrupted.',
    )
    .argument('<file>', 'the export.json')
    .requiredOption('--app <uuid>', 'the app that gets everything')
    .action((file: string, { app }: { app: string }) => importFile(file, app, environment));
}

// Two passes, since messages need their conversations; neither holds more than a batch.
async function importFile(file: string, appUuid: string, environment: Environment): Promise<void> {
  const client = createClient(ImportService, createAdminTransport(environment));
  let conversationCount = 0;
  for await (const conversations of batches(file, 'conversations')) {
    await client.importConversations({ appUuid, conversations });
    conversationCount += conversations.length;
  }
  let messageCount = 0;
  for await (const messages of batches(file, 'messages')) {
    await client.importMessages({ appUuid, messages });
    messageCount += messages.length;
  }
  environment.print(`Restored ${conversationCount} conversations and ${messageCount} messages.\n`);
}

async function* batches(file: string, property: string): AsyncGenerator<JsonObject[]> {
  const items = pipeline(
    createReadStream(file),
    pick.withParserAsStream({ filter: property }),
    limitDepth(),
    streamArray.asStream(),
    // The reader gets the error.
    () => undefined,
  ) as unknown as AsyncIterable<{ value: JsonObject }>;
  let batch: JsonObject[] = [];
  let bytes = 0;
  for await (const { value } of items) {
    batch.push(value);
    bytes += JSON.stringify(value).length;
    if (bytes < BATCH_BYTES && batch.length < BATCH_ITEMS) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Fails as soon as the tokens of a JSON text are nested too deep, before anything is assembled from them. */
function limitDepth(): Transform {
  let depth = 0;
  return new Transform({
    objectMode: true,
    transform(token: { name: string }, _encoding, callback) {
      if (token.name === 'startObject' || token.name === 'startArray') depth += 1;
      else if (token.name === 'endObject' || token.name === 'endArray') depth -= 1;
      if (depth <= MAX_DEPTH) callback(null, token);
      else callback(new Error(`the file is nested deeper than ${MAX_DEPTH} levels`));
    },
  });
}
