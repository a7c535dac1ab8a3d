import type { ActingPerson } from '@parley/domain/actor';
import { isAuthenticationProblem } from '@parley/http/errors/authentication-problem';
import type { ConsoleCall } from './endpoints.ts';
import { sessionOf } from '../access/session.ts';
import type { EndpointRow } from './table.ts';

/** Notes in the audit log that a request to one of the console's endpoints was refused, unless it changes nothing anyway. Never fails. */
export async function noteRefusal(call: ConsoleCall, row: EndpointRow, error: unknown): Promise<void> {
  const [method, path, , , , action] = row;
  if (action === null) return;
  // A cookie that was found bad is not looked up again.
  const isBad = isAuthenticationProblem(error);
  const person = isBad ? undefined : await personOf(call).catch(() => undefined);
  await call.ctx.auditLog.refused(
    {
      actor: person ? 'admin' : 'unknown',
      person,
      method: `${method.toUpperCase()} /console${path}`,
      action,
      appId: undefined,
      subject: '',
      namesUser: false,
    },
    error,
  );
}

async function personOf({ ctx, req, origin }: ConsoleCall): Promise<ActingPerson | undefined> {
  if (req.headers.origin !== origin) return undefined;
  const { person } = await sessionOf(ctx, req, origin);
  return person && { issuer: person.issuer, subject: person.subject };
}
