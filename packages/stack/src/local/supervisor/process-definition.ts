import type { Command } from '../../command.ts';

export type ProcessKind = 'gateway' | 'service' | 'infra';

/** One process of the platform, which can be restarted with the same addresses. */
export type ProcessDefinition = {
  name: string;
  kind: ProcessKind;
  ports: { http?: number; rpc?: number };
  stopSignal: NodeJS.Signals;
  /** Ends it at once, when its data is of no use any more; default: SIGKILL. */
  discardSignal?: NodeJS.Signals;
  /** How long it may take to stop before it is killed. */
  stopWithinMs: number;
  /** Default false: once it is ready, it runs after the other processes while processors are short. */
  inBackground?: boolean;
  command(): Promise<Command>;
  beforeStart?(): Promise<void>;
  /** Default: it logs the line {"msg":"ready"}. */
  untilReady?(given: () => string | undefined): Promise<void>;
  /** Fails when the process runs but does not do its work: when that lasts, it is started again. */
  checkHealth?(signal: AbortSignal): Promise<void>;
};
