import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Block } from './blocks.ts';

export type Outcome = {
  block: Block;
  /** Everything that the block printed, with errors. */
  output: string;
  /** Commands that ended with another status than 0. */
  failed: string[];
};

export type Pasting = { blocks: readonly Block[]; folder: string; env: NodeJS.ProcessEnv };

const REACHED = '=== reached ';
const FAILED = '=== failed: ';

/** Pastes the shell blocks of a document into one shell, and saves its blocks with a file name where the shell is then. */
export async function pasteBlocks({ blocks, folder, env }: Pasting): Promise<Outcome[]> {
  const used = blocks.filter(({ language, options }) => language === 'sh' || options.file !== undefined);
  const node = path.dirname(process.execPath);
  const shell = spawn('bash', ['-c', scriptOf(used)], {
    cwd: folder,
    env: { ...env, PATH: `${node}${path.delimiter}${env.PATH}` },
    // Standard input stays open, as a terminal's: wscat ends at its end.
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(shell.stdout), once(shell, 'exit')]);
  shell.stdin.end();
  const outputs = output.split(new RegExp(`^${REACHED}\\d+$`, 'm')).slice(1);
  return used.map((block, index) => outcomeOf(block, outputs[index]));
}

function scriptOf(blocks: readonly Block[]): string {
  const trap = `trap 'echo "${FAILED}$BASH_COMMAND"' ERR`;
  const steps = blocks.map(({ code, options }, index) => {
    const step =
      options.file === undefined ? code : `cat > ${options.file} <<'END OF FILE'\n${code}END OF FILE`;
    return `echo "\n${REACHED}${index}"\n${step}`;
  });
  return ['exec 2>&1', 'set -o pipefail', trap, ...steps].join('\n');
}

function outcomeOf(block: Block, output: string | undefined): Outcome {
  if (output === undefined) return { block, output: '', failed: ['the shell did not come to this block'] };
  const lines = output.split('\n');
  return {
    block,
    output,
    failed: lines.filter((line) => line.startsWith(FAILED)).map((line) => line.slice(FAILED.length)),
  };
}
