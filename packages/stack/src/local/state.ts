import type { DemoApp } from './demo-app.ts';
import type { ProcessKind } from './supervisor/process-definition.ts';
import type { Supervised } from './supervisor/supervised.ts';

/** Content of state.json, for programs that work with a running platform. */
export type PlatformState = {
  base_url: string;
  admin_token: string;
  processes: { name: string; kind: ProcessKind; pid: number; rpc_port?: number; http_port?: number }[];
  postgres_url: string;
  nats_url: string;
  demo?: DemoApp;
};

/** Leaves out processes that wait to be started again, since they have no pid. */
export function listProcesses(supervised: Supervised[]): PlatformState['processes'] {
  return supervised.flatMap(({ definition: { name, kind, ports }, pid }) => {
    if (pid === undefined) return [];
    return [
      {
        name,
        kind,
        pid,
        ...(ports.rpc !== undefined && { rpc_port: ports.rpc }),
        ...(ports.http !== undefined && { http_port: ports.http }),
      },
    ];
  });
}
