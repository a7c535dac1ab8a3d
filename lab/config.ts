/** Settings of the campaigns. Fails with one line for a value that is none. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const benchScale = Number(env.PARLEY_BENCH_SCALE ?? 1);
  if (!(benchScale > 0 && benchScale < Infinity))
    throw new Error(`PARLEY_BENCH_SCALE is a number above 0, not ${env.PARLEY_BENCH_SCALE}`);
  return {
    /** Factor of the length of every scenario of the bench. */
    benchScale,
    /** Folder of an ejabberd that is there already; default: it is downloaded. */
    ejabberd: env.PARLEY_EJABBERD,
    /** File with the milliseconds by which the clock of a process is ahead. */
    clockFile: env.FAULTS_CLOCK_FILE,
    /** Folders of the programs that campaigns start. */
    path: env.PATH,
    /** Variables that programs take over. */
    inherited: env,
  };
}
