import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isAvailable, isOptional, type Optional } from '@parley/testing';
import { missingAnswers, undocumentedRefusals } from './answers.ts';
import { codeBlocks, type Block } from './blocks.ts';
import type { Outcome } from './shell.ts';

export type Guide = { name: string; blocks: Block[] };

const ANSWERS = ['json', 'jsonl', 'text'];

export function readGuides(folder: string): Guide[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ name, blocks: codeBlocks(readFileSync(path.join(folder, name), 'utf8')) }));
}

/** The program that the machine must have to run a block. */
export function needOf({ options, line }: Block): Optional | undefined {
  if (options.needs === undefined) return undefined;
  if (!isOptional(options.needs)) throw new Error(`line ${line}: needs=${options.needs} is unknown`);
  return options.needs;
}

export function runnable(blocks: readonly Block[]): Block[] {
  return blocks.filter((block) => {
    const need = needOf(block);
    return need === undefined || isAvailable(need);
  });
}

/** Faults that a reader would see: commands that fail, refused requests, and answers that differ from those shown. */
export function faultsOf({ blocks }: Guide, { block, output, failed }: Outcome): object[] {
  const next = blocks[blocks.indexOf(block) + 1];
  const answer = next && ANSWERS.includes(next.language) ? next : undefined;
  const missing = answer ? missingAnswers(answer, output) : [];
  const refused = undocumentedRefusals(answer, output);
  const isRight = failed.length + missing.length + refused.length === 0;
  return isRight ? [] : [{ line: block.line, failed, missing, refused, output }];
}
