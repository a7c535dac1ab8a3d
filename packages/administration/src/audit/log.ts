import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError, type Client } from '@connectrpc/connect';
import { encodeActor } from '@parley/domain/actor';
import { newId } from '@parley/domain/ids';
import { fail, unavailability, type ErrorDocs } from '@parley/domain/problems';
import { currentContext, runInContext } from '@parley/kit/runtime/request-context';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import type { ConsoleService, OperatorCallSchema } from '@parley/proto/parley/identity/v1/console_service_pb';
import type { OperatorCall } from './call.ts';
import { createGathered, type Gathered } from './gathered.ts';
import { outcomeOfError, type Outcome } from './outcome.ts';

/** The entries of the audit log for what operators call. docs/console.md#the-audit-log */
export type OperatorLog = {
  /**
   * Runs a call between two notes: what is called, before anything is done, and how it ended. `run` gets the actor to pass on to services, so that
   * they complete the entry. Problems: service_unavailable, when the first note cannot be written; those of the call.
   */
  record<T>(
    call: OperatorCall,
    run: (actor: string | undefined) => Promise<T>,
    outcomeOf: (result: T) => Outcome,
  ): Promise<T>;
  /** Notes a refusal, once a minute for those that are alike; their number follows. Nothing for a failure of the platform. Never fails. */
  refused(call: OperatorCall, error: unknown): Promise<void>;
  /** Records a refusal by the name of its reason. */
  refusedBy(call: OperatorCall, code: string): Promise<void>;
  /** Notes that a token of a program is in use, once an hour. Never fails. */
  used(call: OperatorCall): Promise<void>;
  /** Writes what is still to be written. */
  stop(): Promise<void>;
};

type Options = { access: Client<typeof ConsoleService>; errorDocs: ErrorDocs; log: Logger };

/** How long an answer waits for the note of a refusal, or of how its call ended. Milliseconds. */
const NOTE_MS = 2_000;
const REFUSALS_MS = 60_000;
const USES_MS = 3_600_000;
/** A refusal by a rate limit is none of a right, and would let a flood reach the table. */
const NOT_NOTED = new Set(['rate_limit_exceeded']);

export function createOperatorLog({ access, errorDocs, log }: Options): OperatorLog {
  const write = async (call: OperatorCall, { outcome, code }: Outcome, count: number) => {
    const request = { call: messageOf(call), outcome, code, count };
    const { requestId = newId() } = currentContext() ?? {};
    const actor = encodeActor({ person: call.person });
    const context = { requestId, deadline: performance.now() + NOTE_MS, actor };
    try {
      await runInContext(context, () => access.recordOperatorCall(request));
      return true;
    } catch (error) {
      log.warn({ error }, 'failed to note a refusal or a use in the audit log');
      return false;
    }
  };
  const refusals: Gathered = createGathered({ everyMs: REFUSALS_MS, write });
  const uses: Gathered = createGathered({ everyMs: USES_MS, write });

  async function begin(call: OperatorCall): Promise<string | undefined> {
    try {
      return (await access.beginOperatorCall({ call: messageOf(call) })).id;
    } catch (error) {
      // An identity service of the release before has no people and no automation tokens, and writes entries of its own.
      if (call.person === undefined && isOfOlderRelease(error)) return undefined;
      log.warn({ error }, 'failed to note a call in the audit log; it is not made');
      if (unavailability(error)) throw error;
      return fail('service_unavailable');
    }
  }

  async function end(id: string, { outcome, code, objectId }: Outcome): Promise<void> {
    const request = { id, outcome, code, ...(objectId !== undefined && { objectId }) };
    const { requestId = '' } = currentContext() ?? {};
    const context = { requestId, deadline: performance.now() + NOTE_MS };
    await runInContext(context, () => access.endOperatorCall(request)).catch((error: unknown) => {
      log.warn({ error, entry: id }, 'failed to note how a call ended; the audit log says unknown');
    });
  }

  return {
    async record(call, run, outcomeOf) {
      const entryId = await begin(call);
      if (entryId === undefined) return run(undefined);
      const actor = encodeActor({ person: call.person, entryId });
      try {
        const result = await run(actor);
        await end(entryId, outcomeOf(result));
        return result;
      } catch (error) {
        await end(entryId, outcomeOfError(error, errorDocs));
        throw error;
      }
    },
    async refused(call, error) {
      const outcome = outcomeOfError(error, errorDocs);
      if (outcome.outcome === 'refused' && !NOT_NOTED.has(outcome.code)) await refusals.note(call, outcome);
    },
    refusedBy: (call, code) => refusals.note(call, { outcome: 'refused', code }),
    used: (call) => uses.note(call, { outcome: 'done', code: '' }),
    async stop() {
      await refusals.stop();
      await uses.stop();
    },
  };
}

function messageOf(call: OperatorCall): MessageInitShape<typeof OperatorCallSchema> {
  const { actor, method, action = '', appId, subject, objectId, namesUser } = call;
  return {
    actor,
    method,
    action,
    subject,
    namesUser,
    ...(appId !== undefined && { appId }),
    ...(objectId !== undefined && { objectId }),
  };
}

function isOfOlderRelease(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Unimplemented;
}
