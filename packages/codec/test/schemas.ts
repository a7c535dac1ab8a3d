import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { DescFile, DescMessage } from '@bufbuild/protobuf';

const folder = path.resolve(import.meta.dirname, '../../../proto/gen');

/** Every type of message that the protocol declares, nested ones too. */
export async function protocolSchemas(): Promise<DescMessage[]> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const modules = names.filter((name) => name.endsWith('_pb.js')).map((name) => path.join(folder, name));
  const files = await Promise.all(modules.map(fileOf));
  return files.flatMap(({ messages }) => messages.flatMap(withNested));
}

async function fileOf(module: string): Promise<DescFile> {
  const exported = (await import(module)) as Record<string, DescFile>;
  const file = Object.values(exported).find(({ kind }) => kind === 'file');
  if (!file) throw new Error(`no file in ${module}`);
  return file;
}

function withNested(message: DescMessage): DescMessage[] {
  return [message, ...message.nestedMessages.flatMap(withNested)];
}
