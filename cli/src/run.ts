import { Command, CommanderError } from 'commander';
import { addAfterRestoreCommand } from './after-restore.ts';
import { addAdminCommands } from './admin.ts';
import { addCellsCommands } from './cells.ts';
import { describeError } from './describe-error.ts';
import { addImportCommand } from './import.ts';

/** Variables, folder and output of a command line; a test gives its own. */
export type Environment = {
  env: Record<string, string | undefined>;
  /** Folder in which `.parley/local/state.json` is looked for. */
  folder: string;
  print(text: string): void;
  printError(text: string): void;
};

/** Runs one command line; returns the exit code: 0, or 1 after one line with the error. */
export async function run(args: string[], environment: Environment): Promise<number> {
  try {
    await createProgram(environment).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    environment.printError(`parley: ${describeError(error)}\n`);
    return 1;
  }
}

function createProgram({ print, printError, ...rest }: Environment): Command {
  const program = new Command('parley')
    .description('Works with a running Parley platform.')
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: print,
      writeErr: printError,
      outputError: (text, write) => write(text.replace(/^error:/, 'parley:')),
    });
  const admin = program
    .command('admin')
    .description(
      'Administers apps, providers, keys, access tokens and users. Reads PARLEY_URL and PARLEY_ADMIN_TOKEN, and ' +
        'without them .parley/local/state.json in the current folder.',
    )
    .copyInheritedSettings(program);
  addAfterRestoreCommand(admin, { print, printError, ...rest });
  addAdminCommands(admin, { print, printError, ...rest });
  addImportCommand(program, { print, printError, ...rest });
  addCellsCommands(program, { print, printError, ...rest });
  return program;
}
